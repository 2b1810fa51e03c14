import { plainLine, safeHref } from "@acp-kit/react";
import type { ReactElement, ReactNode } from "react";
import { useInspected } from "../parts/context.js";
import { JsonView } from "../parts/json-view.js";
import { took } from "./wire-row.js";

/** Props of {@link Detail}. */
export interface DetailProps {
  /** The row that is shown. */
  readonly index: number | undefined;
  readonly moment: number | undefined;
  readonly onGoTo: (row: number) => void;
  readonly onTravel: (entry: number | undefined) => void;
}

/** All details of one message: time, direction and ids, its marks, and its JSON. */
export function Detail({ index, moment, onGoTo, onTravel }: DetailProps): ReactElement {
  const { store } = useInspected();
  const row = index === undefined ? undefined : store.rows[index];
  const entry = row === undefined ? undefined : store.entry(row.entry);
  if (row === undefined || entry === undefined || index === undefined) {
    return (
      <section className="detail" id="detail" aria-label="Details" tabIndex={0}>
        <p className="empty">Select a message to see its details.</p>
      </section>
    );
  }
  const { pair, durationMs } = row;
  const answer = pair === undefined ? undefined : store.rows[pair];
  const before = store.rows[index - 1];
  const answered = durationMs ?? (answer === undefined ? undefined : answer.t - row.t);
  const marks = store.marksOf(row.entry);
  const value =
    entry.kind === "message" ? entry.message : entry.kind === "noise" || entry.kind === "stderr" ? entry.text : entry;
  return (
    <section className="detail" id="detail" aria-label="Details" tabIndex={0}>
      <div className="detail-head">
        <h2>{plainLine(row.method ?? row.kind, 100)}</h2>
        {pair !== undefined && (
          <button type="button" onClick={() => onGoTo(pair)}>
            {row.kind === "request" ? "Go to the response" : "Go to the request"}
          </button>
        )}
        <button
          type="button"
          aria-pressed={moment === row.entry}
          onClick={() => onTravel(moment === row.entry ? undefined : row.entry)}
        >
          Conversation at this message
        </button>
      </div>
      {marks.length > 0 && (
        <ul className="marks" aria-label="Faults">
          {marks.slice(0, 50).map((mark, number) => (
            <li key={number}>
              <strong>{mark.kind === "rule" ? link(mark.id, mark.link) : `schema, ${plainLine(mark.id, 60)}`}</strong>{" "}
              {plainLine(mark.message, 1_000)}
            </li>
          ))}
        </ul>
      )}
      <dl>
        <Fact name="kind" value={row.kind + (row.failed ? ", an error" : "")} />
        <Fact name="from" value={row.from} />
        <Fact name="id" value={row.id} />
        <Fact name="session" value={row.session} />
        <Fact
          name="time"
          value={`${(row.t / 1000).toFixed(3)} s${before === undefined ? "" : ` (+${took(row.t - before.t)})`}`}
        />
        <Fact
          name="response after"
          value={answered === undefined ? (row.kind === "request" ? "not yet" : undefined) : took(answered)}
        />
        <Fact name="size" value={row.bytes === undefined ? undefined : `${row.bytes.toLocaleString("en")} bytes`} />
      </dl>
      <JsonView key={index} value={value} />
    </section>
  );
}

function link(id: string, href: string | undefined): ReactNode {
  const safe = safeHref(href);
  if (safe === undefined) return plainLine(id, 60);
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer">
      {plainLine(id, 60)}
    </a>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | undefined }): ReactNode {
  if (value === undefined || value === "") return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{plainLine(value, 300)}</dd>
    </>
  );
}
