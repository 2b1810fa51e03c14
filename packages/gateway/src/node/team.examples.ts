// #region serve-http
import { createGateway, type Engine, type GatewayPrincipal, gatewayLog, type StartAgent } from "@acp-kit/gateway";
import { type GatewayServer, serveGateway } from "@acp-kit/gateway/node";
import { gatewayMetrics } from "@acp-kit/gateway/node/metrics";
import { tokenAuthentication } from "@acp-kit/http";

/** Serves a team behind one address. Each token belongs to one user, whose sessions no other user finds. */
export async function serveTeam(
  engine: Engine,
  start: StartAgent,
  tokens: ReadonlyMap<string, GatewayPrincipal>,
  log: (record: object) => void,
): Promise<GatewayServer> {
  const metrics = gatewayMetrics();
  const logEvent = gatewayLog(log);
  const gateway = await createGateway({
    engine,
    start,
    onEvent: (event) => {
      metrics.onEvent(event);
      logEvent(event);
    },
  });
  metrics.watch(gateway);
  return serveGateway(gateway, {
    authenticate: tokenAuthentication(tokens),
    allowedHosts: ["localhost", "127.0.0.1", "agents.example.com"],
    metrics,
    mayReadMetrics: ({ user }) => user === "operations",
  });
}

// #endregion serve-http
