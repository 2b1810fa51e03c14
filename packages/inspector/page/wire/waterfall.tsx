import { plainLine } from "@acp-kit/react";
import type { TraceRow } from "@acp-kit/testing/recording";
import { type ReactElement, useMemo, useState } from "react";
import { took } from "./wire-row.js";

/** A turn of a session: from its prompt to the response. */
interface Turn {
  readonly row: number;
  readonly end: number | undefined;
  readonly session: string | undefined;
}

/** A bar of a waterfall. */
interface Bar {
  readonly row: number;
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly kind: "request" | "tool" | "updates";
  readonly side: string;
  readonly isOpen: boolean;
}

const MAX_TURNS = 500;
const MAX_BARS = 400;
/** Updates that follow each other within this time, in milliseconds, are one bar. */
const BURST_MS = 250;

/** The turns of the recording, and the waterfall of one: when each request, tool call and burst of updates began and ended. */
export function Waterfall(props: {
  readonly rows: readonly TraceRow[];
  readonly version: number;
  readonly onPick: (row: number) => void;
}): ReactElement {
  const { rows, version, onPick } = props;
  const turns = useMemo(() => turnsOf(rows), [rows, version]);
  const [chosen, setChosen] = useState<number>();
  const turn = turns.find(({ row }) => row === chosen) ?? turns.at(-1);
  const bars = useMemo(() => (turn === undefined ? [] : barsOf(rows, turn)), [rows, turn, version]);
  if (turn === undefined) return <p className="empty">No prompt has been sent yet.</p>;
  const start = rows[turn.row]?.t ?? 0;
  const end = Math.max(start + 1, ...bars.map(({ to }) => to));
  const share = (t: number): string => `${(((t - start) / (end - start)) * 100).toFixed(3)}%`;
  return (
    <div className="turns">
      <ol className="turn-list" aria-label="Turns">
        {turns.map((each, number) => (
          <li key={each.row}>
            <button type="button" aria-pressed={each === turn} onClick={() => setChosen(each.row)}>
              <b>{number + 1}</b> {plainLine(rows[each.row]?.preview, 60)}{" "}
              <span className="took">
                {each.end === undefined
                  ? "running"
                  : `${took((rows[each.end]?.t ?? 0) - (rows[each.row]?.t ?? 0))}, ${plainLine(rows[each.end]?.preview, 40)}`}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <ol className="waterfall" aria-label={`Waterfall of the turn, ${took(end - start)}`}>
        {bars.map((bar) => (
          <li key={`${bar.kind}${bar.row}`}>
            <button type="button" onClick={() => onPick(bar.row)}>
              <span className="bar-label">{plainLine(bar.label, 80)}</span>
              <span className="bar-track">
                <span
                  className={`bar bar-${bar.kind} ${bar.side}`}
                  style={{ left: share(bar.from), width: `max(2px, calc(${share(bar.to)} - ${share(bar.from)}))` }}
                />
              </span>
              <span className="took">{bar.isOpen ? "open" : took(bar.to - bar.from)}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

function turnsOf(rows: readonly TraceRow[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [index, { kind, method, pair, session }] of rows.entries()) {
    if (kind === "request" && method === "session/prompt") turns.push({ row: index, end: pair, session });
  }
  return turns.slice(-MAX_TURNS);
}

function barsOf(rows: readonly TraceRow[], turn: Turn): readonly Bar[] {
  const last = turn.end ?? rows.length - 1;
  const end = rows[last]?.t ?? 0;
  const bars: Bar[] = [];
  const tools = new Map<string, number>();
  let burst: number | undefined;
  for (let index = turn.row; index <= last && bars.length < MAX_BARS; index += 1) {
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
        const title = words.slice(0, -1).join(" ") || words.join(" ");
        tools.set(title, bars.length);
        bars.push({
          row: index,
          label: `tool call: ${title}`,
          from: row.t,
          to: end,
          kind: "tool",
          side: "agent",
          isOpen: true,
        });
        burst = undefined;
        continue;
      }
      if (kind === "tool_call_update" && /(?:completed|failed)$/.test(row.preview)) {
        const at = [...tools.values()].findLast((each) => bars[each]?.isOpen);
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
  return bars;
}
