import { type AcpHandlerOptions, createAcpHandler, createGuard, type GuardedHandler } from "@acp-kit/http";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { Gateway } from "../gateway.js";
import { gatewayErrorReason } from "../gateway-error.js";
import { type GatewayCaller, gatewayAgent, principalOf } from "./gateway-agent.js";
import { healthResponse } from "./health.js";
import { journalResponse, refused } from "./journal-stream.js";

/** Options of {@link createGatewayHandler}. */
export interface GatewayHandlerOptions<P extends GatewayCaller = GatewayCaller> extends AcpHandlerOptions<P> {
  /** The path of the endpoint. Default `/acp`. */
  readonly path?: string;
  /**
   * The metrics that the path `/metrics` returns, such as `gatewayMetrics()` of `@acp-kit/gateway/node/metrics`. By
   * default, the path does not exist.
   */
  readonly metrics?: MetricsSource;
  /**
   * Returns whether a caller may read the metrics. They count all tenants together. By default no caller may, except on
   * a server without `authenticate`.
   */
  readonly mayReadMetrics?: (principal: P) => boolean;
  /** How long a long poll of a journal waits for an entry, in milliseconds. Default 20,000. */
  readonly longPollMs?: number;
  /**
   * How long an event stream of a journal lasts before its client must send another request, in milliseconds. Default
   * 60,000.
   */
  readonly eventsMs?: number;
}

/** A handler of all paths of a gateway. {@link createGatewayHandler} creates it. */
export interface GatewayHandler {
  /**
   * Handles one request. The function is bound: you can pass it on without its object. The returned promise never
   * rejects.
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The number of open connections. */
  readonly connections: number;
  /** Ends the connections, but not the gateway. You may call it more than once. Never rejects. */
  close(): Promise<void>;
}

/**
 * Serves a gateway over streamable HTTP, and the other paths in the table. Returns a handler of `Request` and
 * `Response` for Hono, Express, Next, Bun, Deno or Node. WebSocket needs `serveGateway` of `@acp-kit/gateway/node`.
 *
 * | path | contents |
 * | --- | --- |
 * | `/acp` | the endpoint for ACP clients |
 * | `/acp/sessions/<id>/journal` | the session's journal, read-only, as a stream of the Durable Streams protocol |
 * | `/metrics` | with the option `metrics` |
 * | `/healthz` | 200 while the process runs |
 * | `/readyz` | 200 while new connections are accepted, 503 while the gateway is drained or can't reach its engine |
 *
 * @throws {TypeError} when the options would open the server to other machines without authentication, unless they
 * allow this explicitly.
 */
export function createGatewayHandler<P extends GatewayCaller = GatewayCaller>(
  gateway: Gateway,
  options: GatewayHandlerOptions<P> = {},
): GatewayHandler {
  checkOptions("createGatewayHandler", options, gatewayHandlerKinds);
  const { path = "/acp" } = options;
  const acp = createAcpHandler(gatewayAgent(gateway), acpOptions(options) as AcpHandlerOptions<GatewayCaller>);
  const other = gatewayPages(gateway, options);
  return {
    fetch: async (request) => (new URL(request.url).pathname === path ? acp.fetch(request) : other(request)),
    get connections() {
      return acp.connections;
    },
    close: () => acp.close(),
  };
}

/** The kinds of the options, for their check. */
export const gatewayHandlerKinds: OptionKinds<GatewayHandlerOptions> = {
  path: "value",
  metrics: "value",
  mayReadMetrics: "function",
  longPollMs: "value",
  eventsMs: "value",
  authenticate: "value",
  allowedHosts: "value",
  allowedOrigins: "value",
  limits: "value",
  loadResponseStream: ["session", "connection"],
  onDiagnostic: "function",
  onError: "function",
};

type OwnOption = "metrics" | "mayReadMetrics" | "longPollMs" | "eventsMs";

/** Returns the options that are not only those of a gateway. @internal */
export function acpOptions<Options extends Pick<GatewayHandlerOptions, "metrics">>(
  options: Options & Partial<Record<OwnOption, unknown>>,
): Omit<Options, OwnOption> {
  const { metrics, mayReadMetrics, longPollMs, eventsMs, ...rest } = options;
  return rest;
}

/** Handles all paths except the endpoint for ACP clients. @internal */
export function gatewayPages<P extends GatewayCaller>(
  gateway: Gateway,
  options: GatewayHandlerOptions<P>,
): (request: Request) => Promise<Response> {
  const { path = "/acp", longPollMs = 20_000, eventsMs = 60_000 } = options;
  const guard = createGuard(acpOptions(options));
  return async (request) => {
    const { pathname } = new URL(request.url);
    const health = healthResponse(gateway, pathname);
    if (health !== undefined) return health;
    if (pathname === "/metrics" && options.metrics !== undefined)
      return guard(request, metricsPage(options.metrics, options));
    const sessionId = sessionIdIn(pathname, path);
    if (sessionId === undefined) return new Response(null, { status: 404 });
    return guard(request, async (_, principal) => {
      const journal = await gateway.journal(principalOf(principal), sessionId).catch(refusalOf);
      if (journal instanceof Response) return journal;
      if (journal === undefined) return refused(404, "There is no such stream");
      return journalResponse(request, journal, { longPollMs, eventsMs });
    });
  };
}

/**
 * Converts an error of `Gateway.journal` to a response: 429 if too many journals are open, 503 while the engine is
 * unavailable.
 */
function refusalOf(error: unknown): Response {
  const reason = gatewayErrorReason(error);
  if (reason === "limit") return refused(429, "The limit of open streams (maxJournals) is reached", { retryAfter: 5 });
  if (reason === "engine_unavailable") return refused(503, "The stream can't be read at the moment", { retryAfter: 5 });
  throw error;
}

/** A source of metrics as text. */
export interface MetricsSource {
  readonly contentType: string;
  /** The current metrics. */
  text(): Promise<string>;
}

function metricsPage<P extends GatewayCaller>(
  metrics: MetricsSource,
  { authenticate, mayReadMetrics = () => authenticate === undefined }: GatewayHandlerOptions<P>,
): GuardedHandler<P> {
  return async (_, principal) => {
    if (!mayReadMetrics(principal)) return new Response(null, { status: 404 });
    const headers = { "content-type": metrics.contentType, "cache-control": "no-store" };
    return new Response(await metrics.text(), { headers });
  };
}

/** Returns the session id in the path of a journal. */
function sessionIdIn(pathname: string, path: string): string | undefined {
  const prefix = `${path}/sessions/`;
  if (!pathname.startsWith(prefix) || !pathname.endsWith(JOURNAL)) return undefined;
  const id = pathname.slice(prefix.length, -JOURNAL.length);
  return /^[\w.-]{1,256}$/.test(id) ? id : undefined;
}

const JOURNAL = "/journal";
