import type { Scope, SessionKey } from "./engine/session-record.js";

/**
 * An event for logs and metrics. No event contains paths, tokens or the content of messages. The gateway ignores errors
 * of a listener.
 */
export type GatewayEvent =
  | { readonly type: "connection_opened" | "connection_closed"; readonly principal: Scope }
  | {
      readonly type: "session_created" | "session_opened" | "session_slept" | "session_deleted";
      readonly session: SessionKey;
    }
  | { readonly type: "session_taken_over"; readonly session: SessionKey; readonly interruptedTurn: boolean }
  | { readonly type: "session_fenced" | "session_lost" | "journal_lost"; readonly session: SessionKey }
  | { readonly type: "journal_repaired"; readonly session: SessionKey; readonly entries: number }
  | { readonly type: "turn_started"; readonly session: SessionKey }
  | {
      readonly type: "turn_ended";
      readonly session: SessionKey;
      readonly isError: boolean;
      readonly durationMs: number;
    }
  | { readonly type: "request_opened"; readonly session: SessionKey; readonly method: string }
  | { readonly type: "request_settled"; readonly session: SessionKey; readonly method: string; readonly by: string }
  | { readonly type: "agent_started" | "agent_ended"; readonly principal: Scope }
  | { readonly type: "engine_failed"; readonly error: unknown }
  | { readonly type: "limit_reached"; readonly principal: Scope; readonly limit: string };

/** Receives {@link GatewayEvent}s. */
export type GatewayEventListener = (event: GatewayEvent) => void;

/** Wraps a listener, so that calling it never throws. */
export function reporter(listener: GatewayEventListener | undefined): GatewayEventListener {
  return (event) => {
    try {
      listener?.(event);
    } catch {
      // An error of the listener must not end a session.
    }
  };
}
