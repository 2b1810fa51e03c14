import type { TraceRow } from "@acp-kit/testing/recording";

/** A turn of a session: from its prompt to the response. */
export interface Turn {
  /** The number of the turn in the recording, from 1 on. */
  readonly number: number;
  readonly row: number;
  readonly end: number | undefined;
  readonly session: string | undefined;
}

/** A bar of a waterfall, the diagram that shows when parts of a turn began and ended. */
export interface Bar {
  readonly row: number;
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly kind: "request" | "tool" | "updates";
  readonly side: string;
  readonly isOpen: boolean;
}

/** The statuses of a tool call. The preview of a `tool_call` with a status ends with it. */
const statuses: ReadonlySet<string> = new Set(["pending", "in_progress", "completed", "failed"]);
const endStatuses = /(?:completed|failed)$/;
const MAX_TURNS = 500;
/** The maximum number of bars of a turn. */
export const MAX_BARS = 400;
/** Updates that follow each other within this time, in milliseconds, are one bar. */
const BURST_MS = 250;

/** Returns the last turns of the recording. */
export function turnsOf(rows: readonly TraceRow[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [index, { kind, method, pair, session }] of rows.entries()) {
    if (kind === "request" && method === "session/prompt")
      turns.push({ number: turns.length + 1, row: index, end: pair, session });
  }
  return turns.slice(-MAX_TURNS);
}

/**
 * Returns the bars of a turn: when each request, tool call and burst of updates began and ended. A turn with more than
 * {@link MAX_BARS} has only the first ones.
 */
export function barsOf(rows: readonly TraceRow[], turn: Turn): readonly Bar[] {
  const last = turn.end ?? rows.length - 1;
  const end = rows[last]?.t ?? 0;
  const bars: Bar[] = [];
  const tools = new Map<string, number>();
  let burst: number | undefined;
  for (let index = turn.row; index <= last; index += 1) {
    const row = rows[index];
    if (row === undefined || (row.session !== undefined && row.session !== turn.session)) continue;
    if (row.kind === "request") {
      const answer = row.pair === undefined ? undefined : rows[row.pair];
      const to = Math.min(answer?.t ?? end, end);
      const label = `${row.method ?? ""} ${row.method === "session/prompt" ? "" : row.preview}`;
      bars.push({
        row: index,
        label,
        from: row.t,
        to,
        kind: "request",
        side: row.from ?? "",
        isOpen: answer === undefined,
      });
      burst = undefined;
    } else if (row.method === "session/update") {
      const [kind = "", ...words] = row.preview.split(" ");
      if (kind === "tool_call") {
        const hasStatus = words.length > 1 && statuses.has(words.at(-1) ?? "");
        const hasEnded = hasStatus && endStatuses.test(row.preview);
        const title = (hasStatus ? words.slice(0, -1) : words).join(" ");
        if (row.toolCallId !== undefined) tools.set(row.toolCallId, bars.length);
        bars.push({
          row: index,
          label: `tool call: ${title}`,
          from: row.t,
          to: hasEnded ? row.t : end,
          kind: "tool",
          side: "agent",
          isOpen: !hasEnded,
        });
        burst = undefined;
        continue;
      }
      if (kind === "tool_call_update" && endStatuses.test(row.preview)) {
        const at = tools.get(row.toolCallId ?? "");
        const bar = at === undefined ? undefined : bars[at];
        if (at !== undefined && bar !== undefined) bars[at] = { ...bar, to: row.t, isOpen: false };
        continue;
      }
      const open = burst === undefined ? undefined : bars[burst];
      if (burst !== undefined && open !== undefined && row.t - open.to <= BURST_MS && open.label.startsWith(kind)) {
        bars[burst] = { ...open, to: row.t };
      } else {
        burst = bars.length;
        bars.push({ row: index, label: kind, from: row.t, to: row.t, kind: "updates", side: "agent", isOpen: false });
      }
    }
  }
  return bars.slice(0, MAX_BARS);
}
