import type { IncomingMessage } from "node:http";
import type { SecureServerOptions } from "node:http2";
import type { Duplex } from "node:stream";
import { checkOptions, type OptionKinds, settledWithin } from "@acp-kit/jsonrpc/internal";
import { type WebSocket, WebSocketServer } from "ws";
import { isLoopback } from "../server/access.js";
import { AcpServer } from "../server/acp-server.js";
import { DirectServer } from "../server/direct-server.js";
import { withQuietErrors } from "../server/error-listener.js";
import type { HttpReply } from "../server/exchange.js";
import { type AcpHandlerOptions, acpHandlerKinds, type FixedServerLimits } from "../server/handler-options.js";
import type { Principal } from "../server/principal.js";
import { replyToError } from "../server/refusal.js";
import type { AgentChoice } from "../server/served-agent.js";
import { acceptUpgrade } from "../server/web-socket-connection.js";
import { WEB_SOCKET_PROTOCOL } from "../wire/token-protocols.js";
import { DiscardedBodies } from "./discarded-bodies.js";
import { HttpPort } from "./http-port.js";
import { withListeningHost } from "./listening-host.js";
import { NodeExchange, type NodeRequest, type NodeResponse, sendReply } from "./node-exchange.js";
import { wsSocket } from "./ws-socket.js";

/** Options of {@link serveHttp}. */
export interface ServeHttpOptions<P extends Principal = Principal> extends AcpHandlerOptions<P> {
  /** The port to listen on. The default, 0, means any free port. */
  readonly port?: number;
  /** The address to listen on, by default `127.0.0.1`. If other machines reach it, `authenticate` is required. */
  readonly host?: string;
  /** The path at which the agent is served. The default is `/acp`. */
  readonly path?: string;
  /** The path at which the agent responds in the body; see `createDirectHandler`. There is none by default. */
  readonly directPath?: string;
  /** The key and certificate. If they are set, the port uses TLS, with HTTP/2 and HTTP/1.1. */
  readonly tls?: SecureServerOptions;
  /** Handles requests to other paths, such as those of a web page. By default, they get 404. */
  readonly fallback?: (request: NodeRequest, response: NodeResponse) => void;
  /** The maximum time in milliseconds until the headers of a request have arrived. The default is 10,000. */
  readonly headersTimeoutMs?: number;
}

/** A server for an agent. {@link serveHttp} creates it. */
export interface HttpAgentServer extends AsyncDisposable {
  /** The URL of the agent for `httpAgent`. */
  readonly url: string;
  /** The URL of the agent for `webSocketAgent`. */
  readonly webSocketUrl: string;
  readonly port: number;
  /** The number of open connections, over HTTP and WebSocket together. */
  readonly connections: number;
  /** Ends all connections within `drainTimeoutMs`, and closes the server. Never rejects, also called twice. */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 10_000;

/**
 * Serves an agent at a URL: streamable HTTP over HTTP/1.1 and HTTP/2 (`h2` with TLS, `h2c` without) and WebSocket, on
 * one port.
 *
 * By default, only programs on the same machine can connect. `AcpHandlerOptions` describes hosts, origins,
 * authentication and limits.
 *
 * @throws {TypeError} when the options would open the server to other machines without authentication, unless they
 * allow this explicitly, and when a limit is unknown or not a number from 0 to `Infinity`.
 * @example
 * ```ts
 * await using server = await serveHttp(agent, { port: 8080, authenticate: tokenAuthentication(token) });
 * console.log(server.url); // http://127.0.0.1:8080/acp
 * ```
 */
export async function serveHttp<P extends Principal = Principal>(
  agent: AgentChoice<P>,
  options: ServeHttpOptions<P> = {},
): Promise<HttpAgentServer> {
  checkOptions("serveHttp", options, optionKinds);
  return serveHttpWith(agent, options);
}

/** Serves an agent, with fixed limits that tests choose. */
export async function serveHttpWith<P extends Principal>(
  agent: AgentChoice<P>,
  given: ServeHttpOptions<P>,
  fixed?: Partial<FixedServerLimits>,
): Promise<HttpAgentServer> {
  const options = withQuietErrors(given);
  const { host = "127.0.0.1", port = 0, path = "/acp", tls, fallback, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
  if (!isLoopback(host) && options.authenticate === undefined) {
    throw new TypeError(
      `serveHttp: other machines can reach the host ${host}, so the server needs \`authenticate\`. Set it, or set it to "none" to accept every caller.`,
    );
  }
  const access = withListeningHost(options, host);
  const server = new AcpServer(agent, access, fixed);
  const { stallTimeoutMs } = server.limits;
  const direct = options.directPath === undefined ? undefined : new DirectServer(agent, access);
  const isDirect = (request: NodeRequest): boolean => (request.url ?? "").split("?", 1)[0] === options.directPath;
  const isEndpoint = (request: NodeRequest): boolean => (request.url ?? "").split("?", 1)[0] === path;
  const upgrades = new Upgrades(server);
  const discarded = new DiscardedBodies();
  const replying = new Set<Promise<void>>();
  const reply = (handling: Promise<HttpReply>, request: NodeRequest, response: NodeResponse): void => {
    const sent: Promise<void> = handling
      .then((result) => sendReply(request, response, result, stallTimeoutMs, discarded))
      .catch((error: unknown) => {
        options.onError?.(error); // for example, the application has set an invalid status
        response.destroy();
      })
      .finally(() => void replying.delete(sent));
    replying.add(sent);
  };
  const httpPort = new HttpPort(
    {
      request: (request, response) => {
        if (isEndpoint(request)) {
          reply(server.handle(new NodeExchange(request)), request, response);
        } else if (direct !== undefined && isDirect(request)) {
          reply(direct.handle(new NodeExchange(request)), request, response);
        } else if (fallback !== undefined) {
          fallback(request, response);
        } else {
          sendReply(request, response, { status: 404, headers: {}, body: undefined }, stallTimeoutMs, discarded);
        }
      },
      upgrade: (request, socket, head) => {
        if (isEndpoint(request)) void upgrades.handle(request, socket, head);
        else endWith(socket, "HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
      },
    },
    { tls, headersTimeoutMs, keepAliveMs: server.limits.keepAliveMs, pongTimeoutMs: server.limits.pongTimeoutMs },
  );
  const address = await httpPort.listen(host, port);
  const authority = `${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
  const secure = tls === undefined ? "" : "s";
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    await Promise.all([server.connections.close(), direct?.close()]);
    // Until then, waiting requests get their refusals
    await settledWithin(server.limits.drainTimeoutMs, Promise.all(replying));
    await new Promise(setImmediate); // HTTP/2 writes its frames at the end of an iteration of the event loop
    await httpPort.close();
  };
  const close = (): Promise<void> => {
    closing ??= closeAll();
    return closing;
  };
  return {
    url: `http${secure}://${authority}${path}`,
    webSocketUrl: `ws${secure}://${authority}${path}`,
    port: address.port,
    get connections() {
      return server.connections.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const optionKinds: OptionKinds<ServeHttpOptions> = {
  ...acpHandlerKinds,
  port: "value",
  host: "value",
  path: "value",
  directPath: "value",
  tls: "value",
  fallback: "function",
  headersTimeoutMs: "value",
};

/**
 * Sends the response to an upgrade and closes the socket. The server must close it, because no HTTP parser handles this
 * socket any more, and the client may never close its side.
 */
function endWith(socket: Duplex, response: string): void {
  socket.end(response, () => socket.destroy());
}

class Upgrades<P extends Principal> {
  readonly #server: AcpServer<P>;
  readonly #webSockets: WebSocketServer;
  readonly #headers = new WeakMap<IncomingMessage, Readonly<Record<string, string>>>();

  constructor(server: AcpServer<P>) {
    this.#server = server;
    this.#webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: server.limits.maxMessageBytes,
      handleProtocols: (offered) => (offered.has(WEB_SOCKET_PROTOCOL) ? WEB_SOCKET_PROTOCOL : false),
    });
    this.#webSockets.on("headers", (lines, request) => {
      for (const [name, value] of Object.entries(this.#headers.get(request) ?? {})) lines.push(`${name}: ${value}`);
    });
  }

  async handle(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const ignore = (): void => {};
    socket.on("error", ignore);
    try {
      const { headers, attach, release } = await acceptUpgrade(this.#server, new NodeExchange(request));
      this.#headers.set(request, headers);
      socket.off("error", ignore);
      let isOpen = false;
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket: WebSocket) => {
        isOpen = true;
        attach(wsSocket(webSocket, socket));
      });
      if (!isOpen) release(); // `ws` calls back immediately, or never if it has refused the handshake
    } catch (error) {
      const { status, headers, body = "" } = replyToError(error);
      const lines = Object.entries({
        ...headers,
        connection: "close",
        "content-length": String(Buffer.byteLength(String(body))),
      });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      endWith(socket, `HTTP/1.1 ${status} Refused\r\n${head}\r\n${body}`);
    }
  }
}
