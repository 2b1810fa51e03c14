import { plainLine } from "@acp-kit/react";
import type { TraceRow } from "@acp-kit/testing/recording";
import { type ReactElement, useMemo, useState } from "react";
import { barsOf, MAX_BARS, turnsOf } from "../model/waterfall.js";
import { took } from "./wire-row.js";

/** The turns of the recording, and the waterfall of the selected one: requests, tool calls, bursts of updates. */
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
        {turns.map((each) => (
          <li key={each.row}>
            <button type="button" aria-pressed={each === turn} onClick={() => setChosen(each.row)}>
              <b>{each.number}</b> {plainLine(rows[each.row]?.preview, 60)}{" "}
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
        {bars.length === MAX_BARS && (
          <li className="acp-note">{`Only the first ${MAX_BARS} parts of the turn are shown.`}</li>
        )}
      </ol>
    </div>
  );
}
