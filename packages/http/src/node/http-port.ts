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
import { after, every } from "@acp-kit/jsonrpc";
import type { NodeRequest, NodeResponse } from "./node-exchange.js";

/** The listener of an {@link HttpPort}. */
export interface HttpPortListener {
  request(request: NodeRequest, response: NodeResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** The options of an {@link HttpPort}. */
export interface HttpPortOptions {
  /** The key and certificate. With them, the port uses TLS. */
  readonly tls?: SecureServerOptions | undefined;
  readonly headersTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly pongTimeoutMs: number;
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
  readonly #sockets = new Set<Socket>();

  constructor(listener: HttpPortListener, options: HttpPortOptions) {
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
      server.on("upgrade", listener.upgrade.bind(listener));
      server.on("connection", (socket: Socket) => this.#track(socket)); // also sockets whose TLS handshake never ends
      server.on("secureConnection", (socket) => socket.on("error", ignore)); // for a socket whose upgrade was refused
      this.#server = server as unknown as Server;
      return;
    }
    const http2 = createServer2(settings);
    this.#watch(http2, listener, options);
    const http1 = createServer({ ...old, requestTimeout: 0 });
    http1.on("request", listener.request.bind(listener));
    http1.on("upgrade", listener.upgrade.bind(listener));
    const [acceptHttp1] = http1.listeners("connection") as ((socket: Socket) => void)[];
    http1.removeAllListeners("connection");
    http1.on("connection", (socket: Socket) => {
      this.#track(socket);
      const stop = after(headersTimeoutMs, () => socket.destroy());
      peek(socket, (isHttp2) => {
        stop();
        socket.off("close", stop);
        if (isHttp2) {
          socket.allowHalfOpen = false; // in HTTP/2, a client that ends its side of the socket has disconnected
          http2.emit("connection", socket);
        } else acceptHttp1?.call(http1, socket);
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
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", ignore); // until a protocol handles the socket
    socket.once("close", () => this.#sockets.delete(socket));
  }

  #watch(server: Http2Server, listener: HttpPortListener, { keepAliveMs, pongTimeoutMs }: HttpPortOptions): void {
    server.on("request", (request, response) => listener.request(request, response));
    server.on("sessionError", () => {}); // Node destroys the session, and its streams emit `close`
    server.on("session", (session) => keepAlive(session, keepAliveMs, pongTimeoutMs));
  }
}

const ignore = (): void => {};

/** Reads the first bytes of a socket and puts them back. */
function peek(socket: Socket, decide: (isHttp2: boolean) => void): void {
  const chunks: Buffer[] = [];
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    const beginning = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    const length = Math.min(beginning.length, PREFACE.length);
    const mayBeHttp2 = beginning.subarray(0, length).equals(PREFACE.subarray(0, length));
    if (mayBeHttp2 && length < PREFACE.length) return;
    socket.off("data", onData);
    socket.pause();
    socket.unshift(beginning);
    decide(mayBeHttp2);
    if (!mayBeHttp2) process.nextTick(() => socket.resume());
  };
  socket.on("data", onData);
}

/** Pings an HTTP/2 session and destroys it when it does not respond, because its socket may be half-open. */
function keepAlive(session: ServerHttp2Session, keepAliveMs: number, pongTimeoutMs: number): void {
  let stopWaiting: (() => void) | undefined;
  const stop = every(keepAliveMs, () => {
    if (session.destroyed) {
      stop(); // ping() of a destroyed session throws
      return;
    }
    if (stopWaiting !== undefined) return; // Node allows ten pings without a pong: then it reports an error for each further one
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
