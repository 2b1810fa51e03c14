// #region listener
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

type Fetch = (request: Request) => Promise<Response>;

/** Adapts a fetch handler to a listener of Node's `http` and `http2`, and of Express. `serveHttp` is faster and supports WebSocket. */
export function nodeListener(fetch: Fetch) {
  return async (
    incoming: IncomingMessage | Http2ServerRequest,
    outgoing: ServerResponse | Http2ServerResponse,
  ): Promise<void> => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) {
      if (!name.startsWith(":") && value !== undefined) headers.set(name, String(value));
    }
    const { method = "GET", url = "/" } = incoming;
    const hasBody = method !== "GET" && method !== "HEAD";
    const response = await fetch(
      new Request(`http://${incoming.headers[":authority"] ?? incoming.headers.host}${url}`, {
        method,
        headers,
        signal: gone.signal,
        ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" }),
      }),
    );
    outgoing.statusCode = response.status;
    for (const [name, value] of response.headers) outgoing.setHeader(name, value);
    if ("flushHeaders" in outgoing) outgoing.flushHeaders(); // the headers of an event stream are sent before its first event
    if (response.body === null) outgoing.end();
    else await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => {}); // the client has gone
  };
}
// #endregion listener
