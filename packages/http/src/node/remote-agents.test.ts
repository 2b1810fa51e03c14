import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { webSocketAgent } from "./remote-agents.js";

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
    const closed = once(socket, "close"); // by then the client has read the response to the upgrade
    await transport.close();
    await closed;
  }
  expect(cookies).toEqual([undefined, "replica=7"]);
});
