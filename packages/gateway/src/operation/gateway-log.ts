import { isEngineError } from "../engine/engine-error.js";
import type { GatewayEvent, GatewayEventListener } from "../events.js";

/**
 * One record of a structured log: a plain object of short texts and numbers, without content of messages, paths or
 * tokens.
 */
export interface GatewayLogRecord {
  readonly event: GatewayEvent["type"];
  readonly level: "info" | "warn" | "error";
  readonly tenant?: string;
  readonly user?: string;
  readonly sessionId?: string;
  readonly [member: string]: string | number | boolean | undefined;
}

/**
 * Converts events to records of a structured log, for `onEvent` of `createGateway`.
 *
 * @example
 * ```ts
 * const onEvent = gatewayLog((record) => logger[record.level](record));
 * const gateway = await createGateway({ engine, start, onEvent });
 * ```
 */
export function gatewayLog(log: (record: GatewayLogRecord) => void): GatewayEventListener {
  return (event) => log(recordOf(event));
}

function recordOf(event: GatewayEvent): GatewayLogRecord {
  const level = levels[event.type] ?? "info";
  const scope = "principal" in event ? event.principal : "session" in event ? event.session.scope : undefined;
  const who = scope && { tenant: short(scope.tenant), user: short(scope.user) };
  const session = "session" in event && { sessionId: short(event.session.sessionId) };
  const base = { event: event.type, level, ...who, ...session };
  switch (event.type) {
    case "turn_ended":
      return { ...base, isError: event.isError, durationMs: event.durationMs };
    case "session_taken_over":
      return { ...base, interruptedTurn: event.interruptedTurn };
    case "request_opened":
      return { ...base, method: short(event.method) };
    case "request_settled":
      return { ...base, method: short(event.method), by: event.by };
    case "journal_repaired":
      return { ...base, entries: event.entries };
    case "limit_reached":
      return { ...base, limit: event.limit };
    case "engine_failed":
      return { ...base, code: isEngineError(event.error) ? event.error.code : "unknown" };
    default:
      return base;
  }
}

const levels: Partial<Record<GatewayEvent["type"], GatewayLogRecord["level"]>> = {
  session_fenced: "warn",
  session_taken_over: "warn",
  journal_repaired: "warn",
  limit_reached: "warn",
  session_lost: "error",
  journal_lost: "error",
  engine_failed: "error",
};

/** Shortens a name that a client or an agent chose, and removes line ends, which could forge a line of a log. */
function short(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the function replaces control characters
  return text.slice(0, 256).replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, "?");
}
