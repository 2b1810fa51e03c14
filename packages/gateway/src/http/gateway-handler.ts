import { type AcpHandlerOptions, createAcpHandler } from "@acp-kit/http";
import type { Gateway } from "../gateway.js";
import { type GatewayCaller, gatewayAgent } from "./gateway-agent.js";
import { healthResponse } from "./health.js";

/** Who may use a gateway at a URL, where, and within which limits. */
export interface GatewayHandlerOptions<P extends GatewayCaller = GatewayCaller> extends AcpHandlerOptions<P> {
  /** The path of the endpoint. Default `/acp`. */
  readonly path?: string;
}

/** A gateway behind its addresses, for every server of the web platform. Made by {@link createGatewayHandler}. */
export interface GatewayHandler {
  /** Handles one request. Bound, so that it can be passed on by itself. It never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The number of live connections. */
  readonly connections: number;
  /** Ends the connections, not the gateway. Idempotent; never rejects. */
  close(): Promise<void>;
}

/**
 * Serves a gateway over streamable HTTP, with its other addresses: a handler of `Request` and `Response` for Hono, Express, Next, Bun, Deno
 * or Node. WebSocket needs `serveGateway` of `@acp-kit/gateway/node`.
 *
 * | address | contents |
 * | --- | --- |
 * | `/acp` | the endpoint |
 * | `/healthz` | 200 while the process runs |
 * | `/readyz` | 200 while new connections are accepted, 503 while the gateway is drained |
 *
 * @throws {TypeError} when the options open the server beyond this machine without authentication and do not say so.
 */
export function createGatewayHandler<P extends GatewayCaller = GatewayCaller>(
  gateway: Gateway,
  options: GatewayHandlerOptions<P> = {},
): GatewayHandler {
  const { path = "/acp", ...rest } = { eventIds: true, ...options };
  const acp = createAcpHandler(gatewayAgent(gateway), rest as AcpHandlerOptions<GatewayCaller>);
  const other = gatewayPages(gateway, options);
  return {
    fetch: async (request) => (new URL(request.url).pathname === path ? acp.fetch(request) : other(request)),
    get connections() {
      return acp.connections;
    },
    close: () => acp.close(),
  };
}

/** What is served beside the endpoint. @internal */
export function gatewayPages<P extends GatewayCaller>(
  gateway: Gateway,
  _options: GatewayHandlerOptions<P>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    return healthResponse(gateway, pathname) ?? new Response(null, { status: 404 });
  };
}
