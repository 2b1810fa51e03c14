import type { ConnectionChange, RemoteAgent } from "@acp-kit/http";
import { type RemoteTarget, shownUrl } from "./agent-target.js";
import type { Log } from "./log.js";

/** How a remote agent is reached. */
export interface RemoteOpenOptions {
  /** Ends every connection at once. */
  readonly kill?: AbortSignal;
  /** Where a lost connection, and its return, are reported. */
  readonly log?: Pick<Log, "warn" | "info">;
}

/** The remote agent as a source of connections, which are restored by themselves for half a minute. */
export async function openRemote(
  { url, token }: RemoteTarget,
  { kill, log }: RemoteOpenOptions = {},
): Promise<RemoteAgent> {
  // Loaded here: most commands start their agent themselves, and need neither HTTP/2 nor WebSocket.
  const { httpAgent, webSocketAgent } = await import("@acp-kit/http/node");
  const options = {
    ...(token !== undefined && { token }),
    ...(kill !== undefined && { signal: kill }),
    ...(log !== undefined && { onConnectionChange: (change: ConnectionChange) => report(change, url, log) }),
  };
  return url.protocol === "ws:" || url.protocol === "wss:" ? webSocketAgent(url, options) : httpAgent(url, options);
}

function report(change: ConnectionChange, url: URL, log: Pick<Log, "warn" | "info">): void {
  if (change.is === "lost") log.warn(`the connection to ${shownUrl(url)} is lost: connecting again`);
  else log.info(`connected to ${shownUrl(url)} again`);
}
