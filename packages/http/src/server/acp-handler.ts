import { checkOptions } from "@acp-kit/jsonrpc/internal";
import { AcpServer } from "./acp-server.js";
import { respondTo } from "./fetch-exchange.js";
import { type AcpHandlerOptions, acpHandlerKinds, type FixedServerLimits } from "./handler-options.js";
import type { Principal } from "./principal.js";
import type { AgentChoice } from "./served-agent.js";
import { upgradeWebSocket, type WebSocketUpgrade } from "./web-socket-upgrade.js";

/** Serves an agent at one path, in any server with `Request` and `Response`; see {@link createAcpHandler}. */
export interface AcpHandler {
  /** Handles one request. The function is bound. The returned promise never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Accepts or refuses a WebSocket upgrade on platforms with standard sockets, such as Deno and Workers. It checks
   * `Host`, `Origin`, credentials and limits, and counts the connection. Pass the server's end of the socket to
   * `accept`. You can use the function without its object. The returned promise never rejects.
   */
  readonly upgrade: (request: Request) => Promise<WebSocketUpgrade>;
  /** The number of open connections. */
  readonly connections: number;
  /** Ends all connections within `drainTimeoutMs`, and refuses new ones. A second call has no effect; never rejects. */
  close(): Promise<void>;
}

/**
 * Serves an agent over streamable HTTP. Returns a handler of `Request` and `Response` for one path of a server in Hono,
 * Express, Next, Bun, Deno or Node. For a complete server that also supports WebSocket, use `serveHttp` of
 * `@acp-kit/http/node`.
 *
 * @throws {TypeError} when the options would open the server to other machines without authentication, unless they
 * allow this explicitly, and when a limit is unknown or not a number from 0 to `Infinity`.
 * @example
 * ```ts
 * const handler = createAcpHandler(agent, {
 *   authenticate: tokenAuthentication(token),
 *   allowedHosts: ["agent.example.com"],
 * });
 * app.all("/acp", (context) => handler.fetch(context.req.raw));
 * ```
 */
export function createAcpHandler<P extends Principal = Principal>(
  agent: AgentChoice<P>,
  options: AcpHandlerOptions<P> = {},
): AcpHandler {
  checkOptions("createAcpHandler", options, acpHandlerKinds);
  return acpHandlerWith(agent, options);
}

/** Creates a handler, with fixed limits that tests choose. */
export function acpHandlerWith<P extends Principal>(
  agent: AgentChoice<P>,
  options: AcpHandlerOptions<P>,
  fixed?: Partial<FixedServerLimits>,
): AcpHandler {
  const server = new AcpServer(agent, options, fixed);
  return {
    fetch: (request) => respondTo(request, (exchange) => server.handle(exchange)),
    upgrade: (request) => upgradeWebSocket(server, request),
    get connections() {
      return server.connections.size;
    },
    close: () => server.connections.close(),
  };
}
