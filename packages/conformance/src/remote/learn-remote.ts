import type { RemoteFacts } from "./remote-context.js";
import { connectionHeader } from "./remote-context.js";
import type { HttpReply, HttpVersion, RemoteLink } from "./remote-link.js";

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
});

/** Tries both profiles of a server, and returns which of them it offers. Never rejects. */
export async function learnRemote(link: RemoteLink, isSecure: boolean): Promise<RemoteFacts> {
  const reached: { version: HttpVersion; reply: HttpReply }[] = [];
  const errors: string[] = [];
  for (const version of ["2", "1.1"] as const) {
    if (reached.length > 0) break;
    try {
      const headers = { "content-type": "application/json" };
      reached.push({ version, reply: await link.request({ method: "POST", headers, body: initialize }, version) });
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  const upgraded = await link.upgrade().catch(() => undefined);
  const webSocket = upgraded !== undefined && !("status" in upgraded);
  if (webSocket) upgraded.close();
  const [first] = reached;
  const statuses = [first?.reply.status, upgraded && "status" in upgraded ? upgraded.status : undefined];
  const isRefused = statuses.some((status) => status === 401 || status === 403);
  const offersHttp = first !== undefined && isProfile(first.reply);
  if (isRefused && !offersHttp && !webSocket) {
    return { webSocket, isSecure, blocked: "The server requires credentials; pass them with --token or --token-file." };
  }
  if (!offersHttp && !webSocket) {
    const why = first ? `initialize gets ${first.reply.status}` : (errors.at(-1) ?? "no response");
    return { webSocket, isSecure, blocked: `No remote transport of ACP at this address: ${why}.` };
  }
  await forget(link, first?.reply, first?.version);
  return { ...(offersHttp && { http: first.version }), webSocket, isSecure };
}

/**
 * Returns whether a response shows that the server offers streamable HTTP. Statuses for missing pages, methods or credentials show that it
 * does not; the scenarios check every other status.
 */
function isProfile({ status }: HttpReply): boolean {
  return ![401, 403, 404, 405, 426, 501].includes(status);
}

async function forget(link: RemoteLink, reply: HttpReply | undefined, version: HttpVersion | undefined): Promise<void> {
  const id = reply?.headers[connectionHeader];
  if (id === undefined) return;
  await link.request({ method: "DELETE", headers: { [connectionHeader]: id } }, version).catch(() => undefined);
}
