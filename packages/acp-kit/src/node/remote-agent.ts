import type { RemoteAgent } from "@acp-kit/http";
import type { RemoteTarget } from "./agent-target.js";

/**
 * The remote agent as a source of connections.
 *
 * @param kill ends every connection at once.
 */
export async function openRemote({ url, token }: RemoteTarget, kill?: AbortSignal): Promise<RemoteAgent> {
  // Loaded here: most commands start their agent themselves, and need neither HTTP/2 nor WebSocket.
  const { httpAgent, webSocketAgent } = await import("@acp-kit/http/node");
  const options = { ...(token !== undefined && { token }), ...(kill !== undefined && { signal: kill }) };
  return url.protocol === "ws:" || url.protocol === "wss:" ? webSocketAgent(url, options) : httpAgent(url, options);
}
