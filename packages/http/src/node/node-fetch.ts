import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { FetchLike } from "../client/http-agent-options.js";
import type { RouteOptions } from "./http-route.js";
import { createNodeHttp } from "./node-http.js";
import type { NodeBody, NodeReply } from "./node-reply.js";

/** A `fetch` whose requests share connections. */
export interface NodeFetch extends FetchLike {
  /** Closes each shared connection after its last request. A later request opens a new connection. */
  close(): void;
}

/**
 * Creates a `fetch` that uses HTTP/2, because the specification requires this of clients. With TLS, it uses HTTP/2 if
 * the server offers it; without TLS, it tries HTTP/2 first. Otherwise it uses HTTP/1.1. It uses the proxies that the
 * environment variables name.
 *
 * It supports only text bodies, and neither redirects nor a cache, because a client of an agent needs no more. Requests
 * share connections, up to the server's limit of concurrent requests. A connection without requests stays open until
 * `close()`, but does not keep the process alive.
 */
export function createNodeFetch(options: RouteOptions = {}): NodeFetch {
  checkOptions("createNodeFetch", options, routeKinds);
  const http = createNodeHttp(options);
  const fetch: FetchLike = async (address, init) => responseOf(await http.send(address, init));
  return Object.assign(fetch, { close: http.close });
}

/** The kinds of the options, for their check. */
export const routeKinds: OptionKinds<RouteOptions> = { tls: "value", environment: "value", connectTimeoutMs: "value" };

/** @throws {RangeError} or {TypeError} if the class `Response` does not accept the status or a header. */
function responseOf({ status, received, body }: NodeReply): Response {
  try {
    const headers = new Headers();
    for (const [name, value = []] of Object.entries(received)) {
      if (name.startsWith(":")) continue;
      for (const one of typeof value === "string" ? [value] : value) headers.append(name, one);
    }
    return new Response(body && streamOf(body), { status, headers });
  } catch (error) {
    void body?.cancel();
    throw error;
  }
}

function streamOf(body: NodeBody): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await body.read();
        if (value !== undefined) controller.enqueue(value);
        if (done) controller.close();
      },
      cancel: () => body.cancel(),
    },
    { highWaterMark: 0 }, // the body itself reads ahead
  );
}
