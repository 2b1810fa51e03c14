import { connectionHeader, messageIn, type RemoteFacts } from "./remote-context.js";
import type { HttpReply, HttpVersion, RemoteLink } from "./remote-link.js";

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
});

/** Tries both profiles of the server at a URL, and returns which of them it offers. Never rejects. */
export async function learnRemote(link: RemoteLink, url: URL): Promise<RemoteFacts> {
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
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
  const replies = [first?.reply, upgraded && "status" in upgraded ? upgraded : undefined];
  const isRefused = replies.some((reply) => reply?.status === 401 || reply?.status === 403);
  const offersHttp = first !== undefined && isProfile(first.reply, webSocket);
  if (isRefused && !offersHttp && !webSocket) {
    return { webSocket, isSecure, blocked: "The server requires credentials; pass them with --token or --token-file." };
  }
  const redirect = replies.flatMap((reply) => (reply && isRedirect(reply) ? redirectText(reply, url) : []))[0];
  const why = redirect ?? (first ? `initialize gets ${first.reply.status}` : (errors.at(-1) ?? "no response"));
  if (!offersHttp && !webSocket) {
    return { webSocket, isSecure, blocked: `No remote transport of ACP at this address: ${why}.` };
  }
  await forget(link, first?.reply, first?.version);
  return offersHttp ? { http: first.version, webSocket, isSecure } : { withoutHttp: why, webSocket, isSecure };
}

function isRedirect({ status }: HttpReply): boolean {
  return status >= 300 && status < 400;
}

/** Describes a redirect. Names the other address without its query, which can contain secrets. */
function redirectText({ status, headers }: HttpReply, url: URL): string {
  const { location } = headers;
  const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined;
  if (!target) return `initialize gets ${status}, a redirect without an address`;
  return `initialize gets ${status}, a redirect to ${target.origin}${target.pathname}; test that address instead, because the kit follows no redirects`;
}

/**
 * Returns whether a response shows that the server offers streamable HTTP. Statuses for redirects, missing pages,
 * methods or credentials show that it does not; the scenarios check every other status. A server may offer only
 * WebSocket (RT-02), and respond to other requests as it likes. So if it offers WebSocket, only a response of ACP shows
 * that it offers streamable HTTP, too.
 */
function isProfile(reply: HttpReply, webSocket: boolean): boolean {
  if (isRedirect(reply) || [401, 403, 404, 405, 426, 501].includes(reply.status)) return false;
  return !webSocket || reply.headers[connectionHeader] !== undefined || messageIn(reply.body) !== undefined;
}

async function forget(link: RemoteLink, reply: HttpReply | undefined, version: HttpVersion | undefined): Promise<void> {
  const id = reply?.headers[connectionHeader];
  if (id === undefined) return;
  await link.request({ method: "DELETE", headers: { [connectionHeader]: id } }, version).catch(() => undefined);
}
