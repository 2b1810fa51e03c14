import { after } from "@acp-kit/jsonrpc";
import { acpHandlerDefaults } from "../server/handler-options.js";
import { NodeExchange, type NodeRequest, type NodeResponse } from "./node-exchange.js";

/** Limits of a {@link fetchListener}. */
export interface FetchListenerOptions {
  /**
   * The maximum time in milliseconds that a response waits for a client that does not read. After that time, the server resets the connection, so that the client
   * detects the incomplete response. The default is that of `stallTimeoutMs` in `ServerLimits`.
   */
  readonly stallTimeoutMs?: number;
}

/**
 * Runs a handler of `Request` and `Response` in a server of Node, for example as `fallback` of `serveHttp`. The handler
 * receives no body, so use it only for GET and HEAD. The signal of the request aborts when the client has gone or does
 * not read for `stallTimeoutMs`. If the handler rejects, the status is 500.
 */
export function fetchListener(
  handle: (request: Request) => Promise<Response>,
  { stallTimeoutMs = acpHandlerDefaults.stallTimeoutMs }: FetchListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const writable = response as unknown as Writable;
    respond(handle, request, writable, stallTimeoutMs).catch(() => writable.destroy()); // for example, Node does not accept the status of `Response.error()`
  };
}

/** The common members of `ServerResponse` and `Http2ServerResponse`. */
interface Writable {
  readonly destroyed: boolean;
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
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
  stallTimeoutMs: number,
): Promise<void> {
  const gone = new AbortController();
  response.on("error", () => {}); // the event `close` follows
  response.on("close", () => gone.abort());
  let reply: Response;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    reply = await handle(new Request(new NodeExchange(request).toRequest(), { signal: gone.signal }));
    reader = reply.body?.getReader(); // throws if something else reads the body
  } catch {
    reply = new Response(null, { status: 500 });
  }
  if (gone.signal.aborted) return cancel(reader);
  gone.signal.addEventListener("abort", () => cancel(reader));
  const isUnread = request.httpVersionMajor === 1 && !(request as { readonly complete?: boolean }).complete;
  response.writeHead(reply.status, { ...headersOf(reply), ...(isUnread && { connection: "close" }) });
  if (reader === undefined || request.method === "HEAD") {
    response.end();
    return cancel(reader);
  }
  response.flushHeaders();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || gone.signal.aborted) break;
      if (!response.write(value)) await roomIn(response, stallTimeoutMs);
    }
    response.end();
  } catch {
    response.destroy(); // an orderly end would hide from the client that the response is incomplete
  }
}

/** Releases a body that is not needed. An error of its source has no effect any more. */
function cancel(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): void {
  reader?.cancel().catch(() => {});
}

/** Returns the headers of a response for Node. Each `Set-Cookie` is a header of its own, because a cookie may contain commas. */
function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) };
}

/** Resolves when the client reads again or has disconnected. Resets the connection when the client does not read for `stallTimeoutMs`. */
function roomIn(response: Writable, stallTimeoutMs: number): Promise<void> {
  if (response.destroyed) return Promise.resolve(); // the event `close` may have occurred before
  return new Promise((resolve) => {
    const stop = after(stallTimeoutMs, () => response.destroy());
    const done = (): void => {
      stop();
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}
