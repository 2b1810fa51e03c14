import { useEffect, useRef, useState } from "react";
import { nextFrame, Signal } from "../model/signal.js";
import type { WireStore } from "../model/wire-store.js";
import { useSignal } from "../parts/use-signal.js";

/** The conditions of a filter. A filter without conditions matches every row. */
export interface WireFilter {
  readonly text: string;
  readonly method: string;
  readonly side: "" | "client" | "agent" | "process";
  readonly session: string;
  readonly problems: boolean;
}

export const noFilter: WireFilter = { text: "", method: "", side: "", session: "", problems: false };

const WORK_MS = 6;

/** Finds the rows that match a filter. It works for a few milliseconds in each frame. */
class Filtering {
  readonly signal = new Signal();
  shown: number[] = [];
  at = 0;
  readonly #store: WireStore;
  readonly #filter: WireFilter;
  readonly #wanted: string;
  readonly #rows: WireStore["rows"];
  #isWorking = false;
  #isStopped = false;

  constructor(store: WireStore, filter: WireFilter) {
    this.#store = store;
    this.#filter = filter;
    this.#wanted = filter.text.toLowerCase();
    this.#rows = store.rows;
  }

  stop(): void {
    this.#isStopped = true;
  }

  work(): void {
    if (this.#isWorking || this.#isStopped) return;
    if (this.at > this.#rows.length) {
      this.at = 0; // the store was reset
      this.shown = [];
    }
    this.#isWorking = true;
    const end = performance.now() + WORK_MS;
    while (this.at < this.#rows.length && performance.now() < end) {
      if (this.#matches(this.at)) this.shown.push(this.at);
      this.at += 1;
    }
    this.#isWorking = false;
    this.signal.changed();
    if (this.at < this.#rows.length) nextFrame(() => this.work());
  }

  #matches(index: number): boolean {
    const row = this.#rows[index];
    if (row === undefined) return false;
    const { method, side, session, problems } = this.#filter;
    if (method !== "" && row.method !== method) return false;
    if (session !== "" && row.session !== session) return false;
    if (side === "process" ? isMessage(row.kind) : side !== "" && !(row.from === side && isMessage(row.kind)))
      return false;
    if (problems && !row.failed && this.#store.marksOf(row.entry).length === 0) return false;
    return (
      this.#wanted === "" ||
      this.#store.line(row.entry).toLowerCase().includes(this.#wanted) ||
      (row.method ?? "").includes(this.#wanted)
    );
  }
}

function isMessage(kind: string): boolean {
  return kind !== "process" && kind !== "stderr" && kind !== "note";
}

/** Returns the indices of the rows that match the filter, or `undefined` for an empty filter. */
export function useFilter(store: WireStore, filter: WireFilter): readonly number[] | undefined {
  const version = useSignal(store.signal);
  const isAll =
    filter.text === "" && filter.method === "" && filter.side === "" && filter.session === "" && !filter.problems;
  const [filtering, setFiltering] = useState<Filtering>();
  useEffect(() => {
    if (isAll) {
      setFiltering(undefined);
      return;
    }
    const next = new Filtering(store, filter);
    setFiltering(next);
    next.work();
    return () => next.stop();
  }, [store, filter, isAll]);
  const last = useRef(0);
  useEffect(() => {
    last.current = version;
    filtering?.work();
  }, [version, filtering]);
  useSignal(filtering?.signal ?? idle);
  return isAll ? undefined : (filtering?.shown ?? nothing);
}

const idle = new Signal();
const nothing: readonly number[] = [];
