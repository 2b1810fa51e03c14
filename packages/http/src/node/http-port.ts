import { createServer, type IncomingMessage, type Server } from "node:http";
import {
  createSecureServer,
  createServer as createServer2,
  type Http2Server,
  type SecureServerOptions,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { after, every } from "@acp-kit/jsonrpc/internal";
import { IdleSockets } from "./idle-sockets.js";
import type { NodeRequest, NodeResponse } from "./node-exchange.js";

/** The listener of an {@link HttpPort}. */
export interface HttpPortListener {
  request(request: NodeRequest, response: NodeResponse): void;
  /** Receives a request for an upgrade to WebSocket. The port serves other upgrades as plain requests of HTTP/1.1. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** The options of an {@link HttpPort}. */
export interface HttpPortOptions {
  /** The key and certificate. With them, the port uses TLS. */
  readonly tls?: SecureServerOptions | undefined;
  readonly headersTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly pongTimeoutMs: number;
  /** See {@link IdleSockets}. */
  readonly maxIdleSockets?: number;
}

/** The longest delay of a timer in Node. A timer with a longer delay fires immediately. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The first bytes of HTTP/2. */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n");

/** The maximum number of streams that a client may have open at the same time on one HTTP/2 connection. */
const MAX_STREAMS = 1_024;

/**
 * Serves HTTP/1.1, HTTP/2 and WebSocket upgrades on one port. With TLS, ALPN distinguishes the HTTP versions; without
 * TLS, the first bytes of a connection do.
 */
export class HttpPort {
  readonly #server: Pick<Server, "listen" | "close" | "address" | "once" | "off">;
  readonly #sockets: IdleSockets;

  constructor(given: HttpPortListener, options: HttpPortOptions) {
    this.#sockets = new IdleSockets(options.maxIdleSockets);
    const listener = this.#counting(given);
    const { tls, headersTimeoutMs } = options;
    const settings = { settings: { maxConcurrentStreams: MAX_STREAMS, enablePush: false } };
    const headersTimeout = Math.min(headersTimeoutMs, LONGEST_TIMER_MS);
    const old = { headersTimeout, connectionsCheckingInterval: Math.min(headersTimeoutMs, 5_000) };
    if (tls !== undefined) {
      const secure = { handshakeTimeout: headersTimeout, ...tls };
      const server = createSecureServer({ ...settings, ...secure, allowHTTP1: true } as SecureServerOptions);
      Object.assign(server, old); // the constructor does not accept options for HTTP/1.1
      server.setTimeout(0);
      this.#watch(server, listener, options);
      const [accept] = server.listeners("secureConnection") as AcceptSocket[];
      server.on(
        "upgrade",
        upgrades(listener, (socket) => accept?.call(server, socket)),
      );
      server.on("connection", (socket: Socket) => this.#track(socket)); // also sockets whose TLS handshake never ends
      server.on("secureConnection", (socket) => socket.on("error", ignore)); // for a socket whose upgrade was refused
      this.#server = server as unknown as Server;
      return;
    }
    const http2 = createServer2(settings);
    this.#watch(http2, listener, options);
    const http1 = createServer({ ...old, requestTimeout: 0 });
    http1.on("request", listener.request.bind(listener));
    const [accept] = http1.listeners("connection") as AcceptSocket[];
    const acceptHttp1 = (socket: Socket): void => accept?.call(http1, socket);
    http1.on("upgrade", upgrades(listener, acceptHttp1));
    http1.removeAllListeners("connection");
    http1.on("connection", (socket: Socket) => {
      this.#track(socket);
      const stop = after(headersTimeoutMs, () => socket.destroy());
      peek(socket, (bytes, isHttp2) => {
        stop();
        socket.off("close", stop);
        if (isHttp2) {
          socket.pause();
          socket.unshift(bytes);
          socket.allowHalfOpen = false; // in HTTP/2, a client that ends its side of the socket has disconnected
          http2.emit("connection", socket);
        } else parseAgain(socket, bytes, acceptHttp1);
      });
      socket.once("close", stop);
    });
    this.#server = http1;
  }

  /** Resolves with the address when the port listens. Rejects when it can't. */
  listen(host: string, port: number): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        this.#server.off("error", reject);
        resolve(this.#server.address() as AddressInfo);
      });
    });
  }

  /** Stops accepting connections and ends the open ones. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#sockets.destroyAll();
    });
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", ignore); // until a protocol handles the socket
  }

  /** A socket has a request until its response has been sent, and for ever after an upgrade. */
  #counting(listener: HttpPortListener): HttpPortListener {
    return {
      request: (request, response) => {
        response.once("close", this.#sockets.begin(request.socket));
        listener.request(request, response);
      },
      upgrade: (request, socket, head) => {
        this.#sockets.begin(request.socket);
        listener.upgrade(request, socket, head);
      },
    };
  }

  #watch(
    server: Http2Server,
    listener: HttpPortListener,
    { keepAliveMs, pongTimeoutMs, headersTimeoutMs }: HttpPortOptions,
  ): void {
    server.on("request", (request, response) => listener.request(request, response));
    server.on("sessionError", () => {}); // Node destroys the session, and its streams emit `close`
    server.on("session", (session) => {
      keepAlive(session, keepAliveMs, pongTimeoutMs);
      closeIdle(session, headersTimeoutMs);
    });
  }
}

const ignore = (): void => {};

type AcceptSocket = (socket: Socket) => void;

function peek(socket: Socket, decide: (bytes: Buffer, isHttp2: boolean) => void): void {
  const chunks: Buffer[] = [];
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    const beginning = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    const length = Math.min(beginning.length, PREFACE.length);
    const mayBeHttp2 = beginning.subarray(0, length).equals(PREFACE.subarray(0, length));
    if (mayBeHttp2 && length < PREFACE.length) return;
    socket.off("data", onData);
    decide(beginning, mayBeHttp2);
  };
  socket.on("data", onData);
}

/** Puts bytes back into a socket, and lets a server of HTTP/1.1 parse them. */
function parseAgain(socket: Socket, bytes: Buffer, accept: AcceptSocket): void {
  socket.pause();
  socket.unshift(bytes);
  accept(socket);
  process.nextTick(() => socket.resume());
}

/**
 * Returns a listener for requests with the header `Upgrade`. Some clients offer HTTP/2 in each request
 * (`Upgrade: h2c`), for example the one of Java. Node stops its parser at each such request, so the listener lets Node
 * parse the request again without that header (RFC 9110, 7.8: a server may ignore it).
 */
function upgrades(listener: HttpPortListener, accept: AcceptSocket): HttpPortListener["upgrade"] {
  return (request, socket, head) => {
    if (request.headers.upgrade?.toLowerCase() === "websocket") {
      listener.upgrade(request, socket, head);
      return;
    }
    const { method, url, httpVersion, rawHeaders } = request;
    let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      if (rawHeaders[index]?.toLowerCase() === "upgrade") continue;
      text += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`;
    }
    parseAgain(socket as Socket, Buffer.concat([Buffer.from(`${text}\r\n`, "latin1"), head]), accept);
  };
}

/** The time in milliseconds after which a session of HTTP/2 without a request ends, if it has had one. */
const IDLE_MS = 30_000;

/**
 * Closes an HTTP/2 session that has no request: after `headersTimeoutMs` if it never had one, like a socket of
 * HTTP/1.1, and after `IDLE_MS` otherwise. A client that waits for messages always has a request.
 */
function closeIdle(session: ServerHttp2Session, headersTimeoutMs: number): void {
  let running = 0;
  const wait = (ms: number): (() => void) =>
    after(ms, () => {
      session.close();
      stop = after(headersTimeoutMs, () => session.destroy()); // the client may not read the end of the session
    });
  let stop = wait(headersTimeoutMs);
  session.on("stream", (stream) => {
    stop();
    running += 1;
    stream.once("close", () => {
      running -= 1;
      if (running === 0 && !session.closed && !session.destroyed) stop = wait(IDLE_MS);
    });
  });
  session.once("close", () => stop());
}

/** Pings an HTTP/2 session and destroys it when it does not respond, because its socket may be half-open. */
function keepAlive(session: ServerHttp2Session, keepAliveMs: number, pongTimeoutMs: number): void {
  let stopWaiting: (() => void) | undefined;
  const stop = every(Math.max(keepAliveMs, 1_000), () => {
    if (session.destroyed) {
      stop(); // ping() of a destroyed session throws
      return;
    }
    // Node allows ten pings without a pong: then it reports an error for each further one
    if (stopWaiting !== undefined) return;
    stopWaiting = after(pongTimeoutMs, () => session.destroy());
    session.ping(() => {
      stopWaiting?.();
      stopWaiting = undefined;
    });
  });
  session.on("error", () => {});
  session.once("close", () => {
    stop();
    stopWaiting?.();
  });
}
