import { plainLine } from "@acp-kit/react";
import type { TraceRow } from "@acp-kit/testing/recording";
import { memo, type ReactElement } from "react";

/** The height of a row, in pixels. The style sheet has the same value. */
export const ROW = 30;

/** Props of {@link WireRow}. */
export interface WireRowProps {
  readonly row: TraceRow;
  readonly index: number;
  readonly at: number;
  readonly count: number;
  readonly isPicked: boolean;
  readonly isPair: boolean;
  readonly marks: number;
  readonly session: string;
  /** The hue of the session's label, in degrees. */
  readonly hue: number;
  readonly onPick: (index: number) => void;
}

/** One row of the list of messages. */
export const WireRow = memo(function WireRow(props: WireRowProps): ReactElement {
  const { row, index, at, count, isPicked, isPair, marks, session, hue, onPick } = props;
  const classes = ["row", row.kind, row.from, row.failed && "failed", isPicked && "picked", isPair && "pair"];
  const isAside = row.kind === "process" || row.kind === "note" || row.kind === "stderr";
  const isUpdate = row.method === "session/update";
  const space = row.preview.indexOf(" ");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus, and its keys choose
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={`row-${index}`}
      className={classes.filter(Boolean).join(" ")}
      role="option"
      aria-selected={isPicked}
      aria-posinset={at + 1}
      aria-setsize={count}
      style={{ top: at * ROW }}
      onClick={() => onPick(index)}
    >
      <span className="time">{(row.t / 1000).toFixed(3)}</span>
      {isAside ? (
        <span className="diagram">
          <span className="aside">{row.kind}</span>
        </span>
      ) : (
        <span className="diagram">
          <span className="method">{plainLine(labelOf(row), 100)}</span>
          <span className="arrow" />
        </span>
      )}
      <span className="preview">
        {marks > 0 && (
          <span className="mark" title={`${marks} marks`}>
            {marks > 1 ? `⚠ ${marks}` : "⚠"}
          </span>
        )}
        {session !== "" && (
          <span className="dot" style={{ backgroundColor: `light-dark(hsl(${hue} 60% 34%), hsl(${hue} 70% 74%))` }}>
            {session}
          </span>
        )}
        {row.durationMs !== undefined && <span className="took">{took(row.durationMs)}</span>}
        {plainLine(isUpdate && space > 0 ? row.preview.slice(space + 1) : isUpdate ? "" : row.preview, 300)}
      </span>
    </div>
  );
});

function labelOf(row: TraceRow): string {
  if (row.kind === "noise") return "not a message";
  if (row.kind === "response") return `↩ ${row.method ?? "no such request"}`;
  return row.method === "session/update" ? (row.preview.split(" ", 1)[0] ?? "") : (row.method ?? "");
}

/** Formats a duration for display. */
export function took(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
