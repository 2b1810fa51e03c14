import type { ConnectionChange, RemoteAgent } from "@acp-kit/http";
import { type RemoteTarget, shownUrl } from "./agent-target.js";
import type { Log } from "./log.js";

/** Options of {@link openRemote}. */
export interface RemoteOpenOptions {
  /** A signal that ends every connection immediately. */
  readonly kill?: AbortSignal;
  /** Logs a lost and a restored connection. */
  readonly log?: Pick<Log, "warn">;
}

/** Creates the remote agent for a URL. If the server can, it reconnects after up to half a minute. */
export async function openRemote(
  { url, token }: RemoteTarget,
  { kill, log }: RemoteOpenOptions = {},
): Promise<RemoteAgent> {
  // Imported only here, because a command with a local agent needs neither HTTP/2 nor WebSocket.
  const { httpAgent, webSocketAgent } = await import("@acp-kit/http/node");
  const options = {
    ...(token !== undefined && { token }),
    ...(kill !== undefined && { signal: kill }),
    ...(log !== undefined && { onConnectionChange: (change: ConnectionChange) => report(change, url, log) }),
  };
  return url.protocol === "ws:" || url.protocol === "wss:" ? webSocketAgent(url, options) : httpAgent(url, options);
}

function report(change: ConnectionChange, url: URL, log: Pick<Log, "warn">): void {
  if (change.is === "lost") log.warn(`the connection to ${shownUrl(url)} is lost; connecting again`);
  else log.warn(`connected to ${shownUrl(url)} again`);
}
