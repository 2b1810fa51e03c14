import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentChoice } from "@acp-kit/http";
import { type ServeHttpOptions, serveHttp } from "@acp-kit/http/node";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "sdk-2/experimental/node";
import { AcpServer, type HandleRequestOptions } from "sdk-2/experimental/server";
import { WebSocketServer } from "ws";

/** The two profiles of the remote transport. */
export const profiles = ["streamable HTTP", "WebSocket"] as const;
export type Profile = (typeof profiles)[number];

/** A server on this machine with an agent behind it. */
export interface RemoteServer extends AsyncDisposable {
  readonly port: number;
  address(profile: Profile): string;
  /** Ends the server as a killed process would: its sockets break. */
  vanish(): Promise<void>;
}

/** Serves an agent with our server. Each connection gets its own agent. */
export async function serveOurs(agent: AgentChoice, options: ServeHttpOptions = {}): Promise<RemoteServer> {
  const server = await serveHttp(agent, options);
  return {
    port: server.port,
    address: (profile) => (profile === "WebSocket" ? server.webSocketUrl : server.url),
    vanish: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** An agent that the official SDK's server connects to a stream. */
export type AgentConnector = NonNullable<HandleRequestOptions["agent"]>;

/** Serves an agent with the server of the official SDK 2.4.0, which has HTTP/1.1. */
export async function serveSdk2(createAgent: () => AgentConnector, port = 0): Promise<RemoteServer> {
  const acp = new AcpServer({ createAgent });
  const webSockets = new WebSocketServer({ noServer: true });
  const server = createServer(createNodeHttpHandler(acp));
  server.on("upgrade", createNodeWebSocketUpgradeHandler(acp, webSockets as never));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  const end = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of webSockets.clients) socket.terminate();
    server.closeAllConnections();
    await closed;
  };
  return {
    port: address.port,
    address: (profile) => `${profile === "WebSocket" ? "ws" : "http"}://127.0.0.1:${address.port}/acp`,
    vanish: end,
    async [Symbol.asyncDispose]() {
      await acp.close();
      if (server.listening) await end();
    },
  };
}
