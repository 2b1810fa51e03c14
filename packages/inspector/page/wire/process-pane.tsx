import { plainText } from "@acp-kit/react";
import { type ReactElement, useLayoutEffect, useRef } from "react";
import { useInspected } from "../parts/context.js";
import { useSignal } from "../parts/use-signal.js";

/** The maximum number of lines that are shown. These are the last lines. */
const MAX_LINES = 500;
/** If the list is scrolled to within this distance from its end, in pixels, it follows new lines. */
const NEAR_END = 24;

/** The events of the agent's process, and its standard error. */
export function ProcessPane(): ReactElement {
  const { store } = useInspected();
  useSignal(store.signal);
  const lines = useProcessLines();
  const last = lines.at(-1);
  const list = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  useLayoutEffect(() => {
    const element = list.current;
    if (element !== null && isFollowing.current) element.scrollTop = element.scrollHeight;
  }, [last]);
  return (
    <section className="process-pane" aria-label="Process">
      <div
        ref={list}
        className="process-lines"
        role="region"
        aria-label="Process and standard error"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isFollowing.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
        }}
      >
        {lines.length === 0 && <p className="empty">No events of the process, and nothing on its standard error.</p>}
        {lines.map((index) => {
          const row = store.rows[index];
          return (
            <div key={index} className={`process-line ${row?.kind} ${row?.failed ? "failed" : ""}`}>
              <span className="time">{((row?.t ?? 0) / 1000).toFixed(3)}</span>{" "}
              {plainText(row?.preview).slice(0, 2_000)}
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** Returns the indices of the rows about the process. Each call examines only new rows. */
function useProcessLines(): readonly number[] {
  const { store } = useInspected();
  const seen = useRef<{ at: number; lines: number[] }>({ at: 0, lines: [] });
  const known = seen.current;
  if (known.at > store.rows.length) {
    known.at = 0;
    known.lines = [];
  }
  for (; known.at < store.rows.length; known.at += 1) {
    const { kind } = store.rows[known.at] ?? {};
    if (kind === "process" || kind === "stderr") known.lines.push(known.at);
  }
  if (known.lines.length > 2 * MAX_LINES) known.lines = known.lines.slice(-MAX_LINES);
  return known.lines.slice(-MAX_LINES);
}
