import { request as httpRequest, type IncomingMessage } from "node:http";
import { type ClientHttp2Stream, constants, type IncomingHttpStatusHeader } from "node:http2";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { every, onAbort } from "@acp-kit/jsonrpc/internal";
import { findRoute, type HttpRoute, openSocket, type RouteOptions } from "./http-route.js";
import { NodeReply, type ReceivedHeaders } from "./node-reply.js";

/** Sends requests over shared connections. */
export interface NodeHttp {
  /** Sends a request. Resolves when the status and the headers of its response have arrived. */
  send(address: string, init: RequestInit): Promise<NodeReply>;
  /** Closes each shared connection after its last request. A later request opens a new connection. */
  close(): void;
}

/** The route to an origin. `route` is `undefined` until it is found. */
interface OriginRoute {
  readonly finding: Promise<HttpRoute>;
  route: HttpRoute | undefined;
}

/**
 * Creates a sender of requests for `createNodeFetch` and `httpAgent`, see there. It supports only text bodies, and
 * neither redirects nor a cache, because a client of an agent needs no more.
 */
export function createNodeHttp(options: RouteOptions = {}): NodeHttp {
  const routes = new Map<string, OriginRoute>();
  const forget = (origin: string, one: OriginRoute): void => {
    if (routes.get(origin) === one) routes.delete(origin);
  };
  const find = (origin: string): OriginRoute => {
    const one: OriginRoute = { finding: findRoute(new URL(origin), options), route: undefined };
    routes.set(origin, one);
    one.finding.then(
      (route) => {
        one.route = route;
        if (route.is !== "http2") return;
        route.session.once("close", () => forget(origin, one)).once("goaway", () => forget(origin, one));
        route.session.unref();
        watchSilence(route.session);
      },
      () => forget(origin, one),
    );
    return one;
  };
  /** Sends a request over a route if the route has room for it. */
  const sendOver = (
    route: HttpRoute,
    url: URL,
    init: RequestInit,
    isFirst: boolean,
  ): Promise<NodeReply> | undefined => {
    if (route.is === "http1") return sendOverHttp1(url, init, options);
    return isFirst || hasRoom(route.session) ? sendOverHttp2(route.session, url, init) : undefined;
  };
  const sendWhenFound = (url: URL, init: RequestInit): Promise<NodeReply> => {
    const known = routes.get(url.origin);
    const one = known ?? find(url.origin);
    // The request starts in the callback that receives the route, without an `await` in between: during an `await`,
    // `close()` could close the connection.
    return one.finding.then((route) => {
      init.signal?.throwIfAborted();
      const sent = sendOver(route, url, init, known === undefined);
      if (sent !== undefined) return sent;
      forget(url.origin, one);
      if (route.is === "http2") retire(route.session);
      return sendWhenFound(url, init);
    });
  };
  return {
    async send(address, init) {
      init.signal?.throwIfAborted();
      const url = new URL(address);
      const route = routes.get(url.origin)?.route;
      const sent = route && sendOver(route, url, init, false);
      return sent ?? abortable(sendWhenFound(url, init), init.signal ?? undefined);
    },
    close() {
      for (const { finding } of routes.values()) {
        finding.then(
          (route) => void (route.is === "http2" && retire(route.session)),
          () => {},
        );
      }
      routes.clear();
    },
  };
}

type Session = Extract<HttpRoute, { is: "http2" }>["session"];

function sendOverHttp2(session: Session, url: URL, init: RequestInit): Promise<NodeReply> {
  const headers = {
    ...lowerCase(init.headers as Record<string, string>),
    // The default of Node has no brackets around an IPv6 address, and servers refuse such a host
    ":authority": url.host,
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
  return begin(
    stream,
    init,
    (received: ReceivedHeaders & IncomingHttpStatusHeader) => new NodeReply(received[":status"] ?? 0, received, stream),
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
 * Whether a session accepts a request at once. A request above the server's limit of streams would wait until another
 * response ends, and the responses with the messages of the agent end with the connection to the agent.
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
/** How often `SILENCE_MS` passes without bytes until the session ends, the first time before the ping. */
const MAX_SILENCES = 3;

/**
 * Ends a session while requests run if its connection is lost, for example because the network has changed. Otherwise,
 * all requests would use the lost connection until TCP notices the loss, which takes about 15 minutes.
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

function sendOverHttp1(url: URL, init: RequestInit, options: RouteOptions): Promise<NodeReply> {
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
  return begin(
    request,
    init,
    (received: IncomingMessage) => new NodeReply(received.statusCode ?? 0, received.headers, received),
  );
}

/** Sends the body. Resolves with the response, or rejects with an error that occurred before it. */
function begin<Received>(
  outgoing: ClientHttp2Stream | ReturnType<typeof httpRequest>,
  { body, signal }: RequestInit,
  replyOf: (received: Received) => NodeReply,
): Promise<NodeReply> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal ?? undefined, () => {
      reject(signal?.reason);
      if ("rstCode" in outgoing) outgoing.close(constants.NGHTTP2_CANCEL);
      else outgoing.destroy();
    });
    outgoing.on("error", reject);
    let hasResponse = false;
    outgoing.once("close", () => {
      stopListening();
      if (!hasResponse) reject(new Error("The connection was closed before the response arrived."));
    });
    outgoing.once("response", (received: Received) => {
      hasResponse = true;
      resolve(replyOf(received));
    });
    if (body == null) outgoing.end();
    else outgoing.end(String(body));
  });
}

function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const name of Object.keys(headers)) lower[name.toLowerCase()] = headers[name] as string;
  return lower;
}

/** Settles like the promise, or rejects with the reason of the signal if the signal aborts first. */
function abortable<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal?.reason));
    promise.then(resolve, reject).finally(stopListening);
  });
}
