import { plainLine } from "@acp-kit/react";
import { type Recording, readRecording } from "@acp-kit/testing/recording";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import {
  type ComparedMessage,
  type ComparedPair,
  comparedMessages,
  comparedPairs,
  MAX_COMPARED,
} from "../model/compare.js";
import type { WireStore } from "../model/wire-store.js";
import { useInspected } from "../parts/context.js";
import { useSignal } from "../parts/use-signal.js";

const MAX_SHOWN = 500;
/** The milliseconds without new entries after which recordings are compared again, which can take a second. */
const SETTLE_MS = 300;

/** Two recordings side by side, with their messages aligned: the open one on the left, the other on the right. */
export function ComparePane({ other }: { readonly other?: Recording }): ReactElement {
  const { store } = useInspected();
  const [chosen, setChosen] = useState<Recording | undefined>(other);
  const [problem, setProblem] = useState("");
  const [limit, setLimit] = useState(MAX_SHOWN);
  const [isOnlyDifferent, setOnlyDifferent] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const length = useSettledLength(store);
  const { pairs, isCut } = useMemo(() => {
    if (chosen === undefined) return { pairs: [], isCut: false };
    const entries = Array.from({ length }, (_, index) => store.entry(index)).filter((entry) => entry !== undefined);
    const [left, right] = [comparedMessages(entries), comparedMessages(chosen.entries)];
    return { pairs: comparedPairs(left, right), isCut: Math.max(left.length, right.length) === MAX_COMPARED };
  }, [store, chosen, length]);
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      setChosen(readRecording(await file.text()));
      setProblem("");
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "This file can't be read.");
    }
  };
  const shown = (pairs ?? []).filter(({ kind }) => !isOnlyDifferent || kind !== "same");
  const first = (pairs ?? []).findIndex(({ kind }) => kind !== "same");
  return (
    <main className="compare">
      <div className="filters">
        <label>
          The other recording{" "}
          <input
            type="file"
            accept=".jsonl,application/x-ndjson"
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        </label>
        <label>
          <input
            type="checkbox"
            checked={isOnlyDifferent}
            onChange={(event) => setOnlyDifferent(event.currentTarget.checked)}
          />{" "}
          Only differences
        </label>
        <span className="count" role="status">
          {summary(chosen, pairs, first)}
          {isCut && ` Only the first ${MAX_COMPARED.toLocaleString("en")} messages of each recording are compared.`}
        </span>
        {first >= 0 && !isOnlyDifferent && (
          <button
            type="button"
            onClick={() => {
              setLimit(Math.max(limit, first + MAX_SHOWN));
              requestAnimationFrame(() =>
                list.current
                  ?.querySelector(".pair-changed, .pair-left, .pair-right")
                  ?.scrollIntoView({ block: "center" }),
              );
            }}
          >
            First difference
          </button>
        )}
      </div>
      <p className="acp-problem" role="alert">
        {problem}
      </p>
      <div ref={list} className="pairs" role="region" aria-label="Both recordings" tabIndex={0}>
        {shown.slice(0, limit).map((pair, index) => (
          <div key={index} className={`pair-row pair-${pair.kind}`}>
            <Message message={pair.left} />
            <Message message={pair.right} />
          </div>
        ))}
        {shown.length > limit && (
          <button type="button" onClick={() => setLimit(limit * 4)}>
            Show more
          </button>
        )}
      </div>
    </main>
  );
}

/** Returns the number of entries of the store. The number changes only when no entry has arrived for `SETTLE_MS`. */
function useSettledLength(store: WireStore): number {
  const version = useSignal(store.signal);
  const [length, setLength] = useState(store.length);
  useEffect(() => {
    const timer = setTimeout(() => setLength(store.length), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [store, version]);
  return length;
}

function Message({ message }: { readonly message: ComparedMessage | undefined }): ReactElement {
  if (message === undefined) return <div className="pair-empty">–</div>;
  return (
    <div className={message.from}>
      <b>{plainLine(message.label, 80)}</b> <code>{plainLine(message.text, 600)}</code>
    </div>
  );
}

function summary(chosen: Recording | undefined, pairs: readonly ComparedPair[] | undefined, first: number): string {
  if (chosen === undefined) return "Choose a second recording.";
  if (pairs === undefined) return "The recordings differ in too many messages to align them.";
  const different = pairs.filter(({ kind }) => kind !== "same").length;
  return different === 0
    ? "The recordings have no difference."
    : `${different} ${different === 1 ? "difference" : "differences"}; the first at message ${first + 1}.`;
}
