import { plainLine } from "@acp-kit/react";
import type { TraceRow } from "@acp-kit/testing/recording";
import { type ReactElement, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useInspected } from "../parts/context.js";
import { useSignal } from "../parts/use-signal.js";
import { Detail } from "./detail.js";
import { noFilter, useFilter, type WireFilter } from "./use-filter.js";
import { Waterfall } from "./waterfall.js";
import { ROW, WireRow } from "./wire-row.js";

/** Props of {@link WirePane}. */
export interface WirePaneProps {
  /** The index of the entry at which the page shows the conversation. */
  readonly moment: number | undefined;
  readonly onTravel: (entry: number | undefined) => void;
}

const OVERSCAN = 8;

/** The list of messages with search and filters, the turns as a waterfall, and the details of one message. */
export function WirePane({ moment, onTravel }: WirePaneProps): ReactElement {
  const { store } = useInspected();
  const version = useSignal(store.signal);
  const [filter, setFilter] = useState<WireFilter>(noFilter);
  const [picked, setPicked] = useState<number>();
  const [view, setView] = useState<"sequence" | "turns">("sequence");
  const shown = useFilter(store, filter);
  const facets = useFacets(store.rows, version);
  const count = shown?.length ?? store.rows.length;
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 600 });
  const isFollowing = useRef(true);

  const at = useCallback((row: number) => (shown === undefined ? row : shown.indexOf(row)), [shown]);
  const reveal = useCallback((index: number) => {
    const element = list.current;
    if (element === null || index < 0) return;
    const top = index * ROW;
    isFollowing.current = false;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW - element.clientHeight;
  }, []);
  const pick = useCallback(
    (row: number) => {
      setPicked(row);
      setView("sequence");
      reveal(at(row));
    },
    [at, reveal],
  );
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = (): void => setPlace({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [view]);
  useLayoutEffect(() => {
    const element = list.current;
    if (element !== null && isFollowing.current && element.scrollTop < count * ROW - element.clientHeight) {
      element.scrollTop = count * ROW;
    }
  }, [count]);
  const onKey = useRef<(event: KeyboardEvent) => void>(() => {});
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey.current(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);

  const onScroll = (): void => {
    const element = list.current;
    if (element === null) return;
    isFollowing.current = element.scrollHeight - element.scrollTop - element.clientHeight < ROW;
    setPlace({ top: element.scrollTop, height: element.clientHeight });
  };
  const onListKey = (key: string): boolean => {
    const page = Math.max(1, Math.floor(place.height / ROW) - 1);
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -count, End: count }[
      key
    ];
    const row = picked === undefined ? undefined : store.rows[picked];
    if (step !== undefined && count > 0) {
      const from = picked === undefined ? -1 : at(picked);
      const to = Math.min(count - 1, Math.max(0, from + step));
      pick(shown?.[to] ?? to);
      list.current?.focus();
      return true;
    }
    if ((key !== "Enter" && key !== "p") || row?.pair === undefined) return false;
    goTo(row.pair);
    return true;
  };
  const clear = (): void => {
    setFilter(noFilter);
    list.current?.focus();
  };
  useLayoutEffect(() => {
    onKey.current = (event) => {
      const target = event.target as HTMLElement;
      const isTyping = target.matches("input, select, textarea");
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === "/" && !isTyping) search.current?.focus();
      else if (event.key === "e" && !isTyping) set({ problems: !filter.problems });
      else if (event.key === "Escape" && shown !== undefined && (!isTyping || target === search.current)) clear();
      // The keys of the list also work while no element has the focus.
      else if (list.current === null || (target !== document.body && target !== list.current)) return;
      else if (!onListKey(event.key)) return;
      event.preventDefault();
    };
  });
  const goTo = (row: number): void => {
    if (at(row) < 0) setFilter(noFilter);
    setPicked(row);
    setView("sequence");
    requestAnimationFrame(() => reveal(shown === undefined || shown.includes(row) ? at(row) : row));
    list.current?.focus();
  };
  const set = (part: Partial<WireFilter>): void => setFilter((before) => ({ ...before, ...part }));

  const first = Math.max(0, Math.floor(place.top / ROW) - OVERSCAN);
  const last = Math.min(count, Math.ceil((place.top + place.height) / ROW) + OVERSCAN);
  const visible = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  const isPickedVisible = picked !== undefined && visible.includes(at(picked));
  const pair = picked === undefined ? undefined : store.rows[picked]?.pair;
  return (
    <section className="wire" aria-label="Wire">
      <div className="filters" role="search">
        <input
          ref={search}
          id="search"
          type="search"
          placeholder="Search in messages"
          aria-label="Search in messages"
          value={filter.text}
          onChange={(event) => set({ text: event.currentTarget.value })}
        />
        <Select
          label="Method"
          id="method"
          value={filter.method}
          all="All methods"
          values={facets.methods}
          onChange={(method) => set({ method })}
        />
        <select
          id="side"
          aria-label="Who"
          value={filter.side}
          onChange={(event) => set({ side: event.currentTarget.value as WireFilter["side"] })}
        >
          <option value="">Both sides</option>
          <option value="client">Client → agent</option>
          <option value="agent">Agent → client</option>
          <option value="process">Process and stderr</option>
        </select>
        {facets.sessions.length > 1 && (
          <Select
            label="Session"
            id="session"
            value={filter.session}
            all="All sessions"
            values={facets.sessions}
            onChange={(session) => set({ session })}
          />
        )}
        <button
          type="button"
          id="errors"
          aria-pressed={filter.problems}
          onClick={() => set({ problems: !filter.problems })}
        >
          Problems
        </button>
        <button
          type="button"
          id="turns"
          aria-pressed={view === "turns"}
          onClick={() => setView(view === "turns" ? "sequence" : "turns")}
        >
          Turns
        </button>
        <span className="count" id="count" role="status">
          {shown === undefined ? `${count} rows` : `${count} of ${store.rows.length}`}
        </span>
        {shown !== undefined && (
          <button type="button" id="clear" onClick={clear}>
            Clear
          </button>
        )}
      </div>
      {view === "turns" ? (
        <Waterfall rows={store.rows} version={version} onPick={goTo} />
      ) : (
        <>
          <div className="heads" aria-hidden="true">
            <span>seconds</span>
            <span className="ends">
              <span>Client</span>
              <span>Agent</span>
            </span>
            <span>content</span>
          </div>
          <div
            ref={list}
            id="list"
            className="list"
            role="listbox"
            tabIndex={0}
            aria-label="Messages"
            aria-activedescendant={isPickedVisible ? `row-${picked}` : undefined}
            onScroll={onScroll}
          >
            <div className="space" role="presentation" style={{ height: count * ROW }}>
              {visible.map((position) => {
                const index = shown?.[position] ?? position;
                const row = store.rows[index];
                if (row === undefined) return null;
                const number = row.session === undefined ? -1 : facets.sessions.indexOf(row.session);
                return (
                  <WireRow
                    key={index}
                    row={row}
                    index={index}
                    at={position}
                    count={count}
                    isPicked={index === picked}
                    isPair={index === pair}
                    marks={store.marksOf(row.entry).length}
                    session={number < 0 ? "" : `s${number + 1}`}
                    hue={(210 + number * 137) % 360} // the hues begin after red, because red means errors
                    onPick={pick}
                  />
                );
              })}
            </div>
            {count === 0 && (
              <p className="empty">{store.rows.length === 0 ? "No message yet." : "No message matches the filters."}</p>
            )}
          </div>
          <Detail index={picked} moment={moment} onGoTo={goTo} onTravel={onTravel} />
        </>
      )}
    </section>
  );
}

function Select(props: {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly all: string;
  readonly values: readonly string[];
  readonly onChange: (value: string) => void;
}): ReactElement {
  return (
    <select
      id={props.id}
      aria-label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    >
      <option value="">{props.all}</option>
      {props.values.map((value) => (
        <option key={value} value={value}>
          {plainLine(value, 60)}
        </option>
      ))}
    </select>
  );
}

interface Facets {
  readonly methods: readonly string[];
  readonly sessions: readonly string[];
}

const MAX_FACETS = 200;

/** Returns the methods and sessions of all rows. Each call examines only new rows. */
function useFacets(rows: readonly TraceRow[], version: number): Facets {
  const seen = useRef({
    at: 0,
    methods: new Set<string>(),
    sessions: new Set<string>(),
    facets: { methods: [], sessions: [] } as Facets,
  });
  return useMemo(() => {
    const known = seen.current;
    if (known.at > rows.length) Object.assign(known, { at: 0, methods: new Set(), sessions: new Set() });
    const before = known.methods.size + known.sessions.size;
    for (; known.at < rows.length; known.at += 1) {
      const { method, session } = rows[known.at] ?? {};
      if (method !== undefined && known.methods.size < MAX_FACETS) known.methods.add(method);
      if (session !== undefined && known.sessions.size < MAX_FACETS) known.sessions.add(session);
    }
    if (known.methods.size + known.sessions.size !== before) {
      known.facets = { methods: [...known.methods].sort(), sessions: [...known.sessions] };
    }
    return known.facets;
  }, [rows, version]);
}
