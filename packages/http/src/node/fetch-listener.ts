import { after, checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { acpHandlerDefaults } from "../server/handler-options.js";
import { DiscardedBodies } from "./discarded-bodies.js";
import { NodeExchange, type NodeRequest, type NodeResponse } from "./node-exchange.js";
import { requestBody } from "./request-body.js";

/** Limits of a {@link fetchListener}. */
export interface FetchListenerOptions {
  /**
   * The maximum time in milliseconds that a response waits for a client that does not read. After that time, the server
   * resets the connection, so that the client detects the incomplete response. The default is that of `stallTimeoutMs`
   * in `ServerLimits`.
   */
  readonly stallTimeoutMs?: number;
}

/**
 * Runs a handler of `Request` and `Response` in a server of Node: HTTP/1.1, HTTP/2 or Express. Use it to mount the
 * handler of `createAcpHandler`, and for the option `fallback` of `serveHttp`.
 *
 * The body of a request is a stream, which the client sends no faster than the handler reads. The size of the body is
 * not limited; the handler of `createAcpHandler` limits it. The signal of the request aborts when the client has gone
 * or does not read for `stallTimeoutMs`. The status is 400 for a request that `Request` does not accept, such as a
 * `TRACE`, and 500 if the handler rejects.
 *
 * @example
 * ```ts
 * createServer(fetchListener(createAcpHandler(agent).fetch)).listen(8080, "127.0.0.1");
 * ```
 */
export function fetchListener(
  handle: (request: Request) => Promise<Response>,
  options: FetchListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  checkOptions("fetchListener", options, optionKinds);
  const { stallTimeoutMs = acpHandlerDefaults.stallTimeoutMs } = options;
  const discarded = new DiscardedBodies();
  return (request, response) => {
    const writable = response as unknown as Writable;
    // For example, Node does not accept the status of `Response.error()`.
    respond(handle, request, writable, stallTimeoutMs, discarded).catch(() => writable.destroy());
  };
}

const optionKinds: OptionKinds<FetchListenerOptions> = { stallTimeoutMs: "value" };

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
  discarded: DiscardedBodies,
): Promise<void> {
  const gone = new AbortController();
  response.on("error", () => {}); // the event `close` follows
  response.on("close", () => gone.abort());
  const given = requestOf(request, gone.signal);
  let reply = new Response(null, { status: given === undefined ? 400 : 500 });
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    if (given !== undefined) reply = await handle(given);
    reader = reply.body?.getReader(); // throws if something else reads the body
  } catch {
    reply = new Response(null, { status: 500 });
  }
  if (gone.signal.aborted) return cancel(reader);
  gone.signal.addEventListener("abort", () => cancel(reader));
  const isUnread = (): boolean =>
    request.httpVersionMajor === 1 && !(request as { readonly complete?: boolean }).complete;
  const end = (): void => {
    if (!isUnread()) return void response.end();
    if (given?.body?.locked === false) given.body.cancel().catch(() => {});
    discarded.discard(request, () => response.end());
  };
  response.writeHead(reply.status, { ...headersOf(reply), ...(isUnread() && { connection: "close" }) });
  if (reader === undefined || request.method === "HEAD") {
    end();
    return cancel(reader);
  }
  response.flushHeaders();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || gone.signal.aborted) break;
      if (!response.write(value)) await roomIn(response, stallTimeoutMs);
    }
    end();
  } catch {
    response.destroy(); // an orderly end would hide from the client that the response is incomplete
  }
}

/** Converts a request of Node, with its body. Returns `undefined` if `Request` does not accept it. */
function requestOf(request: NodeRequest, signal: AbortSignal): Request | undefined {
  const { method } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  try {
    const head = new NodeExchange(request).toRequest();
    if (!hasBody) return new Request(head, { signal });
    return new Request(head, { signal, body: requestBody(request), duplex: "half" });
  } catch {
    return undefined;
  }
}

/** Releases a body that is not needed. An error of its source has no effect any more. */
function cancel(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): void {
  reader?.cancel().catch(() => {});
}

/** Returns the headers for Node. Each `Set-Cookie` is a header of its own: a cookie may contain commas. */
function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) };
}

/** Resolves when the client reads or has disconnected. Resets a connection that stalls for `stallTimeoutMs`. */
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
