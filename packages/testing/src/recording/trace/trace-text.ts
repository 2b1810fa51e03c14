import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { Recording, RecordingEntry } from "../format.js";
import { type TraceRow, Tracer } from "./trace-row.js";

/** Styles text for a terminal. */
export interface TracePaint {
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
}

/** Options of a trace. */
export interface TraceTextOptions {
  /** The maximum width of a line; longer descriptions are cut. By default, the width is unlimited. */
  readonly columns?: number;
  /** The styles of the trace. By default, the trace has no colours. */
  readonly paint?: TracePaint;
}

/**
 * Renders a recording as text for a terminal, with one line per message: time, direction, method, id, session, duration
 * of the response, and a short description. The text contains no control characters, whatever the recording contains.
 */
export function traceText(recording: Recording, options: TraceTextOptions = {}): string {
  checkOptions("traceText", options, optionKinds);
  const writer = new TraceWriter(options);
  return recording.entries.map((entry) => writer.write(entry)).join("");
}

const optionKinds: OptionKinds<TraceTextOptions> = { columns: "value", paint: "value" };

/** Writes a trace line by line, for recordings that are still being written. */
export class TraceWriter {
  readonly #tracer = new Tracer();
  readonly #paint: TracePaint;
  readonly #columns: number;
  /** The short name of each session, by its id: `s1` for the first session in the recording, `s2` for the second. */
  readonly #sessions = new Map<string, string>();

  constructor({ columns = Number.POSITIVE_INFINITY, paint = plain }: TraceTextOptions = {}) {
    this.#columns = columns;
    this.#paint = paint;
  }

  /** Returns the line of the next entry, including the line end, or `""` for an entry that the trace does not show. */
  write(entry: RecordingEntry): string {
    return this.#tracer
      .add(entry)
      .map((row) => `${this.#line(row)}\n`)
      .join("");
  }

  #line(row: TraceRow): string {
    const { dim, red, green, cyan } = this.#paint;
    const time = formatSeconds(row.t).padStart(9);
    const arrow = arrowOf(row).padEnd(16);
    const session = row.session === undefined ? "" : this.#nameOf(row.session);
    const head = clean([headOf(row), session].filter((word) => word !== "").join(" "));
    const took = row.durationMs === undefined ? "" : formatDuration(row.durationMs);
    const used = [time, arrow, head, took].reduce((sum, { length }) => sum + (length === 0 ? 0 : length + 2), 0);
    const preview = cut(clean(row.preview), this.#columns - used);
    const paintHead = row.failed ? red : row.kind === "request" ? cyan : row.kind === "response" ? green : plain.dim;
    const paintPreview = row.failed ? red : row.method === undefined ? dim : plain.dim;
    const parts = [dim(time), ` ${arrow}`];
    if (head !== "") parts.push(paintHead(head));
    if (took !== "") parts.push(dim(took));
    if (preview !== "") parts.push(` ${paintPreview(preview)}`);
    return parts.join(" ").trimEnd();
  }

  #nameOf(session: string): string {
    const name = this.#sessions.get(session) ?? `s${this.#sessions.size + 1}`;
    this.#sessions.set(session, name);
    return name;
  }
}

const plain: TracePaint = {
  dim: (text) => text,
  red: (text) => text,
  green: (text) => text,
  cyan: (text) => text,
};

function arrowOf({ kind, from }: TraceRow): string {
  if (kind === "process") return "·  process";
  if (kind === "note") return "·";
  if (kind === "stderr") return "·  stderr";
  if (kind === "noise") return from === "client" ? "client ?─> agent" : "client <─? agent";
  if (from === "client") return kind === "response" ? "client ··> agent" : "client ──> agent";
  return kind === "response" ? "client <·· agent" : "client <── agent";
}

function headOf({ kind, method, id }: TraceRow): string {
  if (kind === "request") return `${method} ${id}`;
  if (kind === "response") return `${method ?? "(belongs to no request)"} ${id ?? ""}`.trimEnd();
  return method ?? "";
}

/** Formats a time in seconds with milliseconds, such as `12.345`. */
function formatSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function formatDuration(ms: number): string {
  if (ms < 1) return `(${ms.toFixed(1)} ms)`;
  return ms < 10_000 ? `(${Math.round(ms)} ms)` : `(${(ms / 1000).toFixed(1)} s)`;
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return length < 8 ? "" : `${text.slice(0, length - 1)}…`;
}

/** Removes control characters: a recording must not move the cursor, or change colours or direction. */
function clean(text: string): string {
  return text
    .replace(/[\n\r\t]+/g, " ")
    .replace(/[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, "\ufffd");
}
