import { acpHandlerDefaults } from "@acp-kit/http";
import {
  fetchListener,
  type HttpAgentServer,
  type ServeHttpOptions,
  serveHttp,
  withListeningHost,
} from "@acp-kit/http/node";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { Gateway } from "../gateway.js";
import { type GatewayCaller, gatewayAgent } from "../http/gateway-agent.js";
import { acpOptions, type GatewayHandlerOptions, gatewayHandlerKinds, gatewayPages } from "../http/gateway-handler.js";

/** Options of {@link serveGateway}. */
export interface ServeGatewayOptions<P extends GatewayCaller = GatewayCaller>
  extends GatewayHandlerOptions<P>,
    Omit<ServeHttpOptions<P>, "directPath" | "fallback"> {}

/** The server of a gateway. {@link serveGateway} creates it. */
export interface GatewayServer extends HttpAgentServer {
  /**
   * Shuts down in order: `/readyz` responds 503, new connections are refused, idle sessions are handed over, and
   * running turns get `graceMs` (default 30,000). Then the gateway and the server close. Idempotent. Never rejects.
   */
  drain(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Serves a gateway at a URL: streamable HTTP, HTTP/2 and WebSocket on one port, with `/healthz` and `/readyz`.
 *
 * The gateway acts on behalf of the principal that `authenticate` returns. Without `authenticate`, all callers act as
 * the same principal, and only programs of this machine reach the server. `close()` ends the server but not the
 * gateway; `drain()` ends both.
 *
 * @throws {TypeError} when the options would open the server to other machines without authentication, unless they
 * allow this explicitly.
 * @example
 * ```ts
 * const server = await serveGateway(gateway, { port: 8080, authenticate: tokenAuthentication(token) });
 * process.once("SIGTERM", () => server.drain());
 * ```
 */
export async function serveGateway<P extends GatewayCaller = GatewayCaller>(
  gateway: Gateway,
  options: ServeGatewayOptions<P> = {},
): Promise<GatewayServer> {
  checkOptions("serveGateway", options, optionKinds);
  const { port, host = "127.0.0.1", tls, headersTimeoutMs, ...handlerOptions } = options;
  const { limits = {} } = handlerOptions;
  const { stallTimeoutMs = acpHandlerDefaults.stallTimeoutMs } = limits;
  const fallback = fetchListener(gatewayPages(gateway, withListeningHost(handlerOptions, host)), { stallTimeoutMs });
  const server = await serveHttp(gatewayAgent(gateway), {
    ...acpOptions(options),
    fallback,
  } as ServeHttpOptions<GatewayCaller>);
  let draining: Promise<void> | undefined;
  const drain = (graceMs: number): Promise<void> => {
    draining ??= gateway.drain({ graceMs }).then(() => server.close());
    return draining;
  };
  return {
    url: server.url,
    webSocketUrl: server.webSocketUrl,
    port: server.port,
    get connections() {
      return server.connections;
    },
    close: () => server.close(),
    drain: ({ graceMs = 30_000 } = {}) => drain(graceMs),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

const optionKinds: OptionKinds<ServeGatewayOptions> = {
  ...gatewayHandlerKinds,
  port: "value",
  host: "value",
  tls: "value",
  headersTimeoutMs: "value",
};
