import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { GatewayEventListener } from "../events.js";
import type { Gateway } from "../gateway.js";
import type { MetricsSource } from "../http/gateway-handler.js";

/** Metrics of a gateway in the text format of Prometheus. {@link gatewayMetrics} creates them. */
export interface GatewayMetrics extends MetricsSource {
  /** The listener for `onEvent` of `createGateway`. */
  readonly onEvent: GatewayEventListener;
  /** Adds a gateway to the metrics: from now on they contain its current numbers of connections, sessions and turns. */
  watch(gateway: Gateway): void;
}

/**
 * Counts the events of a gateway with `prom-client`. Labels contain no tenant, user, session or content, so the number
 * of series is fixed.
 *
 * @param registry the registry of the metrics. The default is a new registry.
 * @example
 * ```ts
 * const metrics = gatewayMetrics();
 * const gateway = await createGateway({ engine, start, onEvent: metrics.onEvent });
 * metrics.watch(gateway);
 * await serveGateway(gateway, { metrics });
 * ```
 */
export function gatewayMetrics(registry: Registry = new Registry()): GatewayMetrics {
  const registers = [registry];
  const events = new Counter({
    name: "acp_gateway_events_total",
    help: "Number of events of the gateway, by type.",
    labelNames: ["type"],
    registers,
  });
  const turns = new Histogram({
    name: "acp_gateway_turn_duration_seconds",
    help: "The duration of turns.",
    labelNames: ["outcome"],
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1_800],
    registers,
  });
  const limits = new Counter({
    name: "acp_gateway_limits_reached_total",
    help: "Number of times that a principal reached a limit, by name of the limit.",
    labelNames: ["limit"],
    registers,
  });
  const watched = new Set<Gateway>();
  const gauge = (name: string, help: string, read: (gateway: Gateway) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        let sum = 0;
        for (const gateway of watched) sum += read(gateway);
        this.set(sum);
      },
    });
  };
  gauge("acp_gateway_connections", "Number of open connections of clients.", (gateway) => gateway.status().connections);
  gauge("acp_gateway_sessions", "Number of sessions that this replica owns.", (gateway) => gateway.status().sessions);
  gauge("acp_gateway_turns", "Number of turns that run or are queued.", (gateway) => gateway.status().turns);
  gauge("acp_gateway_draining", "1 while the gateway is draining, otherwise 0.", (gateway) =>
    Number(gateway.status().isDraining),
  );
  gauge(
    "acp_gateway_engine_reachable",
    "1 while the replica can renew its membership with the engine, otherwise 0.",
    (gateway) => Number(gateway.status().isEngineReachable),
  );
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    onEvent: (event) => {
      events.inc({ type: event.type });
      if (event.type === "turn_ended")
        turns.observe({ outcome: event.isError ? "error" : "end" }, event.durationMs / 1_000);
      if (event.type === "limit_reached") limits.inc({ limit: event.limit });
    },
    watch: (gateway) => void watched.add(gateway),
  };
}
