import type { AgentConnection } from "@acp-kit/client";
import { isRpcError } from "@acp-kit/client";
import type { Implementation } from "@acp-kit/types";
import { errorText } from "../error-text.js";
import type { RunDecision } from "./permission-policy.js";
import type { TurnRecord } from "./turn-record.js";

/** The output of `--format json`. All members are always present; an unknown value is `null`. */
export interface RunReport {
  /** The stop reason of the turn. It is `null` if the turn failed; `error` then contains the reason. */
  readonly stopReason: string | null;
  /** The text of the agent's messages, with an empty line between two messages. */
  readonly text: string;
  readonly sessionId: string | null;
  /** The tool calls of the turn, each in its last state. */
  readonly toolCalls: TurnRecord["toolCalls"];
  readonly plan: TurnRecord["plan"];
  readonly usage: TurnRecord["usage"];
  /** The number of updates of each kind, without those of a replayed history and of child sessions. */
  readonly updates: Readonly<Record<string, number>>;
  readonly permissions: { readonly requested: number; readonly decisions: readonly RunDecision[] };
  /** The name and version that the agent reports for itself. */
  readonly agent: Implementation | null;
  readonly protocolVersion: number | null;
  /** The milliseconds from the start of the agent to the end of the turn. */
  readonly durationMs: number;
  /** The error, if something failed. `code` is the code of the JSON-RPC error, if the agent responded with one. */
  readonly error?: { readonly message: string; readonly code?: number };
}

/** The state at the end of a run, failed or not. */
export interface RunEnd {
  readonly record: TurnRecord;
  readonly requested: number;
  readonly decisions: readonly RunDecision[];
  readonly durationMs: number;
  readonly connection?: AgentConnection | undefined;
  readonly sessionId?: string | undefined;
  readonly stopReason?: string | undefined;
  readonly error?: unknown;
}

export function runReport({ record, requested, decisions, durationMs, connection, ...end }: RunEnd): RunReport {
  const { text, toolCalls, plan, usage, updates } = record;
  return {
    stopReason: end.stopReason ?? null,
    text,
    sessionId: end.sessionId ?? null,
    toolCalls,
    plan,
    usage,
    updates,
    permissions: { requested, decisions },
    agent: connection?.info ?? null,
    protocolVersion: connection?.protocolVersion ?? null,
    durationMs: Math.round(durationMs),
    ...(end.error !== undefined && { error: describe(end.error) }),
  };
}

function describe(error: unknown): { message: string; code?: number } {
  return { message: errorText(error), ...(isRpcError(error) && { code: error.code }) };
}
