import { linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { rawPeer } from "@acp-kit/testing";
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
    if (id === 5) peer.respond(2, { sessions: ["whole"] });
  });
  const handler = createAcpHandler(agent);
  const [client, ours] = linkedTransports();
  const remote = fetchAgent("http://localhost/acp", { fetch: inProcessFetch(handler.fetch) });
  const bridge = bridgeTransports(offeringTexts(ours), await remote.open());
  const peer = rawPeer(client, {
    side: "client",
    onMessage: ({ id, method }) => method === "_request" && peer.respond(id as number, { from: "the client" }),
  });
  const initialized = await peer.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const listed = await peer.request("session/list", { cursor: "next" });
  expect(received).toMatchObject([{ protocolVersion: 1 }, { cursor: "next" }, { from: "the client" }]);
  expect(initialized).toMatchObject({ result: { protocolVersion: 1 } });
  expect(listed).toMatchObject({ result: { sessions: ["whole"] } });
  expect(peer.receivedSoFar("_request")).toMatchObject([{ params: { of: "the agent" } }]);
  await bridge.close();
  await handler.close();
});
