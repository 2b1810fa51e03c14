import type { AgentConnection } from "@acp-kit/client";
import { isRpcError } from "@acp-kit/client";
import type { Implementation } from "@acp-kit/types";
import { errorText } from "../error-text.js";
import type { AnsweredPermission } from "./permission-policy.js";
import type { TurnRecord } from "./turn-record.js";

/** What `--format json` prints: all its members, always, `null` where nothing is known. */
export interface RunReport {
  /** Why the turn ended; `null` when it didn't end: `error` says why, then. */
  readonly stopReason: string | null;
  /** What the agent said, its messages kept apart by empty lines. */
  readonly text: string;
  readonly sessionId: string | null;
  /** Each in its last state. */
  readonly toolCalls: TurnRecord["toolCalls"];
  readonly plan: TurnRecord["plan"];
  readonly usage: TurnRecord["usage"];
  /** How many of each kind came; history that a load tells again isn't counted. */
  readonly updates: Readonly<Record<string, number>>;
  readonly permissions: { readonly asked: number; readonly answered: readonly AnsweredPermission[] };
  /** What the agent calls itself. */
  readonly agent: Implementation | null;
  readonly protocolVersion: number | null;
  /** From the start of the agent to the end of the turn. */
  readonly durationMs: number;
  /** Only when something failed. `code` is that of a JSON-RPC error. */
  readonly error?: { readonly message: string; readonly code?: number };
}

/** What a run knows when it ends, however it ended. */
export interface RunEnd {
  readonly record: TurnRecord;
  readonly asked: number;
  readonly answered: readonly AnsweredPermission[];
  readonly durationMs: number;
  readonly connection?: AgentConnection | undefined;
  readonly sessionId?: string | undefined;
  readonly stopReason?: string | undefined;
  readonly error?: unknown;
}

export function runReport({ record, asked, answered, durationMs, connection, ...end }: RunEnd): RunReport {
  const { text, toolCalls, plan, usage, updates } = record;
  return {
    stopReason: end.stopReason ?? null,
    text,
    sessionId: end.sessionId ?? null,
    toolCalls,
    plan,
    usage,
    updates,
    permissions: { asked, answered },
    agent: connection?.info ?? null,
    protocolVersion: connection?.protocolVersion ?? null,
    durationMs: Math.round(durationMs),
    ...(end.error !== undefined && { error: describe(end.error) }),
  };
}

function describe(error: unknown): { message: string; code?: number } {
  return { message: errorText(error), ...(isRpcError(error) && { code: error.code }) };
}
