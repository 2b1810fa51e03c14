import { request as httpRequest, type IncomingMessage } from "node:http";
import { type ClientHttp2Stream, constants, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from "node:http2";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { every, onAbort } from "@acp-kit/jsonrpc";
import type { FetchLike } from "../client/http-agent-options.js";
import { findRoute, type HttpRoute, openSocket, type RouteOptions } from "./http-route.js";

/** A `fetch` whose requests share connections. */
export interface NodeFetch extends FetchLike {
  /** Closes each shared connection after its last request. A later request opens a new connection. */
  close(): void;
}

/**
 * Creates a `fetch` that uses HTTP/2, because the specification requires this of clients. With TLS, it uses HTTP/2 if the server offers it;
 * without TLS, it tries HTTP/2 first. Otherwise it uses HTTP/1.1. It uses the proxies that the environment variables name.
 *
 * It supports only text bodies, and neither redirects nor a cache, because a client of an agent needs no more. Requests share connections, up to the
 * server's limit of concurrent requests. A connection without requests stays open until `close()`, but does not keep the process alive.
 */
export function createNodeFetch(options: RouteOptions = {}): NodeFetch {
  const routes = new Map<string, Promise<HttpRoute>>();
  const find = (origin: string): Promise<HttpRoute> => {
    const finding = findRoute(new URL(origin), options);
    routes.set(origin, finding);
    const forget = (): void => {
      if (routes.get(origin) === finding) routes.delete(origin);
    };
    finding.then((route) => {
      if (route.is !== "http2") return;
      route.session.once("close", forget).once("goaway", forget);
      route.session.unref();
      watchSilence(route.session);
    }, forget);
    return finding;
  };
  const send = async (url: URL, init: RequestInit): Promise<Response> => {
    const known = routes.get(url.origin);
    const finding = known ?? find(url.origin);
    // The request starts in the callback that receives the route, without an `await` in between: during an `await`, `close()` could close the connection.
    return finding.then((route) => {
      init.signal?.throwIfAborted();
      if (route.is === "http1") return fetchOverHttp1(url, init, options);
      const { session } = route;
      if (known === undefined || hasRoom(session)) return fetchOverHttp2(session, url, init);
      if (routes.get(url.origin) === finding) routes.delete(url.origin);
      retire(session);
      return send(url, init);
    });
  };
  const fetch: FetchLike = async (address, init) => {
    init.signal?.throwIfAborted();
    return abortable(send(new URL(address), init), init.signal ?? undefined);
  };
  const close = (): void => {
    for (const finding of routes.values()) {
      finding.then(
        (route) => void (route.is === "http2" && retire(route.session)),
        () => {},
      );
    }
    routes.clear();
  };
  return Object.assign(fetch, { close });
}

type Session = Extract<HttpRoute, { is: "http2" }>["session"];

function fetchOverHttp2(session: Session, url: URL, init: RequestInit): Promise<Response> {
  const headers = {
    ...lowerCase(init.headers as Record<string, string>),
    ":authority": url.host, // the default of Node has no brackets around an IPv6 address, and servers refuse such a host
    ":method": init.method ?? "GET",
    ":path": url.pathname + url.search,
  };
  const stream = session.request(headers, { endStream: init.body == null }); // throws when the session is closing
  session.ref();
  stream.once("close", () => {
    if (countOf(session, -1) > 0) return;
    if (retired.has(session)) session.close();
    else session.unref();
  });
  countOf(session, 1);
  return begin(stream, init, (received: IncomingHttpHeaders & IncomingHttpStatusHeader) =>
    responseOf(received[":status"] ?? 0, received as Record<string, string | string[]>, stream),
  );
}

const running = new WeakMap<Session, number>();

/** Adds `change` to the number of running requests of a session, and returns the number. */
function countOf(session: Session, change: number): number {
  const count = (running.get(session) ?? 0) + change;
  running.set(session, count);
  return count;
}

/**
 * Whether a session accepts a request at once. A request above the server's limit of streams would wait until another response ends, and the responses with
 * the messages of the agent end with the connection to the agent.
 */
function hasRoom(session: Session): boolean {
  if (session.closed || session.destroyed) return false;
  const count = countOf(session, 0);
  return count === 0 || count < (session.remoteSettings.maxConcurrentStreams ?? Number.POSITIVE_INFINITY);
}

/** Sessions that close after their last request. */
const retired = new WeakSet<Session>();

/** Closes a session after its last request. `session.close()` alone would fail requests that are not yet sent. */
function retire(session: Session): void {
  retired.add(session);
  if (countOf(session, 0) === 0) session.close();
}

/** The time in milliseconds without bytes of the server after which a session sends a ping. */
const SILENCE_MS = 5_000;
/** The number of times that `SILENCE_MS` passes without bytes of the server until the session ends, the first one before the ping. */
const MAX_SILENCES = 3;

/**
 * Ends a session while requests run if its connection is lost, for example because the network has changed. Otherwise, all requests would use the lost connection
 * until TCP notices the loss, which takes about 15 minutes.
 */
function watchSilence(session: Session): void {
  const { socket } = session;
  let received = 0;
  let silences = 0;
  const isSilent = (): boolean => !session.destroyed && countOf(session, 0) > 0 && socket.bytesRead === received;
  const check = (): void => {
    if (!isSilent()) {
      silences = 0;
      if (!session.destroyed) received = socket.bytesRead;
      return;
    }
    silences += 1;
    if (silences === 1) session.ping(() => {}); // the pong is received bytes
    if (silences < MAX_SILENCES) return;
    // If the process was busy or suspended, received bytes may be unread.
    setImmediate(() => {
      const ms = MAX_SILENCES * SILENCE_MS;
      if (isSilent()) session.destroy(new Error(`The server sent nothing for ${ms} ms, not even the pong of a ping.`));
    });
  };
  session.once("close", every(SILENCE_MS, check));
}

function fetchOverHttp1(url: URL, init: RequestInit, options: RouteOptions): Promise<Response> {
  const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
    method: init.method ?? "GET",
    // Without an agent, Node does not know the default port of the scheme, and would add a port to the header `Host`.
    headers: { host: url.host, ...lowerCase(init.headers as Record<string, string>) },
    // With any agent, also with `false`, Node does not call `createConnection`.
    createConnection: ((_: unknown, done: (error: Error | null, socket?: Socket) => void) => {
      openSocket(url, ["http/1.1"], options).then((socket) => done(null, socket), done);
      return undefined;
    }) as never,
  });
  return begin(request, init, (received: IncomingMessage) =>
    responseOf(received.statusCode ?? 0, received.headers as Record<string, string | string[]>, received),
  );
}

/** Sends the body. Resolves with the response, or rejects with an error that occurred before it. */
function begin<Received>(
  outgoing: ClientHttp2Stream | ReturnType<typeof httpRequest>,
  { body, signal }: RequestInit,
  responseTo: (received: Received) => Response,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal ?? undefined, () => {
      reject(signal?.reason);
      if ("rstCode" in outgoing) outgoing.close(constants.NGHTTP2_CANCEL);
      else outgoing.destroy();
    });
    outgoing.on("error", reject);
    outgoing.once("close", () => {
      stopListening();
      reject(new Error("The connection was closed before the response arrived."));
    });
    outgoing.once("response", (received: Received) => {
      try {
        resolve(responseTo(received));
      } catch (error) {
        reject(error); // a status or a header that the class `Response` does not accept
        outgoing.destroy();
      }
    });
    if (body == null) outgoing.end();
    else outgoing.end(String(body));
  });
}

function responseOf(status: number, received: Record<string, string | string[]>, body: Readable): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    if (name.startsWith(":")) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  if (status === 204 || status === 205 || status === 304) {
    body.resume();
    return new Response(null, { status, headers });
  }
  return new Response(streamOf(body), { status, headers });
}

/** The number of bytes of a body that are read before the application reads them. */
const READ_AHEAD = 65_536;

/** Creates the web stream of a body. If the connection breaks, the stream fails. Node itself ends the body of an HTTP/2 response as if the body were complete. */
function streamOf(
  body: Readable & { readonly rstCode?: number; readonly complete?: boolean },
): ReadableStream<Uint8Array> {
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let failure: unknown;
        body.on("data", (chunk: Buffer) => {
          if (isCancelled) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) body.pause();
        });
        body.on("error", (error) => {
          failure = error;
        });
        body.once("close", () => {
          if (isCancelled) return;
          const isWhole = body.readableEnded && (body.rstCode ?? 0) === 0 && body.complete !== false;
          if (failure === undefined && isWhole) controller.close();
          else controller.error(failure ?? new Error("The connection broke in the middle of the response."));
        });
      },
      pull: () => void body.resume(),
      cancel() {
        isCancelled = true;
        body.destroy();
      },
    },
    { highWaterMark: READ_AHEAD, size: (chunk) => chunk.length },
  );
}

function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Settles like the promise, or rejects with the reason of the signal if the signal aborts first. */
function abortable<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal?.reason));
    promise.then(resolve, reject).finally(stopListening);
  });
}
