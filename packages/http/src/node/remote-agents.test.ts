import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { expect, it, onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { echoAgent } from "../../test/echo-agent.js";
import { httpAgent, webSocketAgent } from "./remote-agents.js";
import { serveHttp } from "./serve-http.js";

it("keeps the cookies of an upgrade, and sends them with the next one (RT-04)", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  server.on("headers", (headers) => void headers.push("set-cookie: replica=7; Path=/; HttpOnly"));
  const agent = webSocketAgent(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/acp`);
  onTestFinished(async () => {
    await agent.close();
    server.close();
  });
  const cookies: (string | undefined)[] = [];
  for (let connection = 0; connection < 2; connection += 1) {
    const connected = once(server, "connection") as Promise<[WebSocket, IncomingMessage]>;
    const transport = await agent.open();
    const [socket, request] = await connected;
    cookies.push(request.headers.cookie);
    const closed = once(socket, "close"); // the client has read the response to the upgrade before the close
    await transport.close();
    await closed;
  }
  expect(cookies).toEqual([undefined, "replica=7"]);
});

it.each(["会话-1", "line\nbreak", "sé-1", " spaces ", "UTF-8''%"])(
  "sends messages in a session with the id %j",
  async (sessionId) => {
    const agent = createAgent({
      info: { name: "a", version: "1" },
      newSession: () => ({ sessionId }),
      prompt: async () => {},
    });
    await using server = await serveHttp(agent);
    for (const options of [{}, { fetch: globalThis.fetch }]) {
      await using client = await connectAgent(httpAgent(server.url, options));
      const session = await client.newSession({ cwd: "/" });
      expect(session.sessionId).toBe(sessionId);
      expect(await session.prompt("hello").result).toMatchObject({ stopReason: "end_turn" });
    }
  },
);

it("closes its connection to an HTTP/2 server when the agent is closed", async () => {
  await using server = await serveHttp(echoAgent());
  const relay = createServer((client) => {
    const upstream = connect(server.port, "127.0.0.1");
    pipeline(client, upstream, client, () => {});
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  onTestFinished(() => void relay.close());
  const begun = once(relay, "connection") as Promise<[Socket]>;
  const agent = await connectAgent(httpAgent(`http://127.0.0.1:${(relay.address() as AddressInfo).port}/acp`));
  const [socket] = await begun;
  const closed = once(socket, "close");
  await agent.close();
  await closed;
});
