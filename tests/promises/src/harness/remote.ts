import type { RemoteAgentLimits, ServedAgent, ServerLimits } from "@acp-kit/http";
import { httpAgent, serveHttp, webSocketAgent } from "@acp-kit/http/node";
import type { Transport } from "@acp-kit/protocol";
import { Cable, type Passage } from "./cable.js";

/** The profiles of the remote transport. */
export const profiles = ["streamable HTTP", "WebSocket"] as const;
export type Profile = (typeof profiles)[number];

export function isProfile(kind: string): kind is Profile {
  return (profiles as readonly string[]).includes(kind);
}

/** An agent behind a URL of this machine, and the client's end of a connection. */
export interface Remote extends AsyncDisposable {
  readonly transport: Transport;
  readonly cable: Cable;
  /** The number of live connections of the server. */
  connections(): number;
}

/** The options of a test. */
export interface RemoteOptions {
  readonly client?: RemoteAgentLimits;
  readonly server?: ServerLimits;
  readonly toServer?: Passage;
  readonly toClient?: Passage;
}

/** Serves an agent and connects to it over a cable. Unless the test sets limits, a connection ends with its sockets. */
export async function openRemote(profile: Profile, agent: ServedAgent, options: RemoteOptions = {}): Promise<Remote> {
  const { client = { reconnectTimeoutMs: 0 }, server: serverLimits = { idleTimeoutMs: 0 }, ...passages } = options;
  const server = await serveHttp(agent, { limits: serverLimits });
  const cable = await Cable.to(server.port, passages);
  const isWebSocket = profile === "WebSocket";
  const url = `${isWebSocket ? "ws" : "http"}://127.0.0.1:${cable.port}/acp`;
  const source = (isWebSocket ? webSocketAgent : httpAgent)(url, { limits: client });
  const transport = await source.open();
  return {
    transport,
    cable,
    connections: () => server.connections,
    async [Symbol.asyncDispose]() {
      await source.close();
      await cable[Symbol.asyncDispose]();
      await server.close();
    },
  };
}
