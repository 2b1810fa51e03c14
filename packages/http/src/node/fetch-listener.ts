import { NodeExchange, type NodeRequest, type NodeResponse } from "./node-exchange.js";

/**
 * Runs a handler of `Request` and `Response` in a server of Node: for `fallback` of `serveHttp`. The handler receives no body, so it suits GET and
 * HEAD. Its signal aborts when the client has gone. A handler that rejects sends 500.
 */
export function fetchListener(
  handle: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    void respond(handle, request, response as never);
  };
}

/** What `ServerResponse` and `Http2ServerResponse` have in common. */
interface Writable {
  readonly destroyed: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  flushHeaders(): void;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): void;
  on(event: "error" | "close" | "drain", listener: () => void): unknown;
  once(event: "drain" | "close", listener: () => void): unknown;
  off(event: "drain" | "close", listener: () => void): unknown;
}

async function respond(
  handle: (request: Request) => Promise<Response>,
  request: NodeRequest,
  response: Writable,
): Promise<void> {
  const gone = new AbortController();
  response.on("error", () => {}); // `close` reports it
  response.on("close", () => gone.abort());
  let reply: Response;
  try {
    reply = await handle(new Request(new NodeExchange(request).toRequest(), { signal: gone.signal }));
  } catch {
    reply = new Response(null, { status: 500 });
  }
  if (response.destroyed) return void reply.body?.cancel().catch(() => {});
  const isUnread = request.httpVersionMajor === 1 && !(request as { readonly complete?: boolean }).complete;
  response.writeHead(reply.status, { ...Object.fromEntries(reply.headers), ...(isUnread && { connection: "close" }) });
  if (reply.body === null || request.method === "HEAD") {
    await reply.body?.cancel();
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = reply.body.getReader();
  gone.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || gone.signal.aborted) break;
      if (!response.write(value)) await roomIn(response);
    }
    response.end();
  } catch {
    response.destroy(); // cut off, so that the client does not take it for the end
  }
}

function roomIn(response: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}
