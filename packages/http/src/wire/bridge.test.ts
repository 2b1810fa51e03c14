import { linkedTransports, type Message, type Transport } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { expect, it } from "vitest";
import { inProcessFetch } from "../../test/in-process-fetch.js";
import { scriptedAgent } from "../../test/scripted-agent.js";
import { fetchAgent } from "../client/http-agent.js";
import { createAcpHandler } from "../server/acp-handler.js";
import { bridgeTransports } from "./bridge.js";

/** A transport that offers the texts of its messages, as those of bytes do. */
function offeringTexts(transport: Transport): Transport {
  return {
    get full() {
      return transport.full;
    },
    start: (receiver) =>
      transport.start({
        message: (value, size) => {
          if (!receiver.text?.(JSON.stringify(value), size)) receiver.message(value, size);
        },
        malformed: (input) => receiver.malformed(input),
        ended: () => receiver.ended(),
        failed: (error) => receiver.failed(error),
      }),
    send: (message) => transport.send(message),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    close: () => transport.close(),
  };
}

it.each([
  ["keeps no sessions", {}],
  ["keeps sessions", { _meta: { "acp-kit/client": "c", "acp-kit/server": "s" } }],
])("a bridge forwards whole messages to a server over HTTP that %s", async (_, more) => {
  const received: unknown[] = [];
  const agent = scriptedAgent((message, peer) => {
    const { id, method, params } = message;
    received.push("result" in message ? message.result : params);
    if (method === "initialize") peer.send({ id, result: { protocolVersion: 1, ...more } });
    if (method === "session/list") peer.request("_request", { of: "the agent" }, { id: 5 });
    if (id === 5) peer.respond(1, { sessions: ["whole"] });
  });
  const handler = createAcpHandler(agent);
  const [client, ours] = linkedTransports();
  const remote = fetchAgent("http://localhost/acp", { fetch: inProcessFetch(handler.fetch) });
  const bridge = bridgeTransports(offeringTexts(ours), await remote.open());
  const messages: unknown[] = [];
  const listed = deferred();
  const send = (message: Message): void => void client.send(message);
  client.start({
    message: (value) => {
      const { id, method } = value as { readonly id: number; readonly method?: string };
      messages.push(value);
      if (id === 0) send({ jsonrpc: "2.0", id: 1, method: "session/list", params: { cursor: "next" } });
      if (method === "_request") send({ jsonrpc: "2.0", id, result: { from: "the client" } });
      if (id === 1) listed.resolve();
    },
    malformed: () => {},
    ended: () => {},
    failed: listed.reject,
  });
  send({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } });
  await listed.promise;
  expect(received).toMatchObject([{ protocolVersion: 1 }, { cursor: "next" }, { from: "the client" }]);
  expect(messages).toMatchObject([{ result: { protocolVersion: 1 } }, { params: { of: "the agent" } }, { id: 1 }]);
  await bridge.close();
  await handler.close();
});
