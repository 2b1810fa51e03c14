import { jsonText } from "../../json-text.js";
import type { RecordedMessage, Recording, RecordingEntry, Side } from "../format.js";
import { memberOf, textMemberOf } from "../member-of.js";
import { MAX_LENGTH, previewOf } from "./preview.js";

/** One row of a trace, ready for display. */
export interface TraceRow {
  /** The index of the entry in the recording. */
  readonly entry: number;
  /** The milliseconds since the recording began. */
  readonly t: number;
  readonly kind: "request" | "notification" | "response" | "noise" | "stderr" | "process" | "note";
  readonly from?: Side;
  /** The method of the message; a response has the method of its request. */
  readonly method?: string;
  /** The id of the request, as JSON. */
  readonly id?: string;
  readonly session?: string;
  /** The id of the tool call that a `session/update` starts or changes. */
  readonly toolCallId?: string;
  /** A short description of the message's content. */
  readonly preview: string;
  readonly failed: boolean;
  /** The time between a request and its response, in milliseconds. */
  readonly durationMs?: number;
  readonly bytes?: number;
  /** In the row of a request: the row of its response. In the row of a response: the row of its request. */
  readonly pair?: number;
}

/** Returns the rows of a recording, in which requests and responses refer to each other. */
export function traceRows(recording: Recording): readonly TraceRow[] {
  const tracer = new Tracer();
  return recording.entries.flatMap((entry) => tracer.add(entry));
}

type Writable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

/** Turns entries of a recording into rows as they arrive. A response sets `pair` of its request's row. */
export class Tracer {
  readonly #open = { client: new Map<string, number>(), agent: new Map<string, number>() };
  readonly #rows: Writable<TraceRow>[] = [];
  #entries = 0;

  /** Adds the next entry. Returns an array with its row, or an empty array for an entry of an unknown kind. */
  add(entry: RecordingEntry): TraceRow[] {
    const index = this.#entries;
    this.#entries += 1;
    const row = entry.kind === "message" ? this.#message(entry, index) : otherRow(entry, index);
    if (row === undefined) return [];
    this.#rows.push(row);
    return [row];
  }

  #message(entry: Extract<RecordingEntry, { kind: "message" }>, index: number): Writable<TraceRow> {
    const { t, from, bytes, leftOut } = entry;
    const isObject = typeof entry.message === "object" && entry.message !== null && !Array.isArray(entry.message);
    const message: RecordedMessage = isObject ? (entry.message as RecordedMessage) : {};
    const { id, method, params, error } = message;
    const preview = leftOut ? `left out of the recording (${bytes ?? "?"} bytes)` : "";
    const base = { entry: index, t, from, failed: error !== undefined, ...(bytes !== undefined && { bytes }) };
    const key = id === undefined ? {} : { id: jsonText(id) };
    if (typeof method === "string") {
      const kind = id === undefined ? "notification" : "request";
      if (key.id !== undefined) this.#open[from].set(key.id, this.#rows.length);
      const session = textMemberOf(params, "sessionId");
      const toolCallId =
        method === "session/update" ? textMemberOf(memberOf(params, "update"), "toolCallId") : undefined;
      return {
        ...base,
        ...key,
        kind,
        method,
        ...(session && { session }),
        ...(toolCallId && { toolCallId }),
        preview: preview || previewOf(method, message),
      };
    }
    if (!("result" in message) && error === undefined) {
      return { ...base, kind: "noise", failed: true, preview: jsonText(entry.message).slice(0, MAX_LENGTH) };
    }
    const asked = this.#open[from === "client" ? "agent" : "client"];
    const pair = key.id === undefined ? undefined : asked.get(key.id);
    const request = pair === undefined ? undefined : this.#rows[pair];
    if (pair === undefined || request === undefined) {
      return { ...base, ...key, kind: "response", preview: preview || previewOf("", message) };
    }
    asked.delete(key.id ?? "");
    request.pair = this.#rows.length;
    const session = request.session ?? textMemberOf(message.result, "sessionId");
    return {
      ...base,
      ...key,
      kind: "response",
      ...(request.method !== undefined && { method: request.method }),
      ...(session !== undefined && { session }),
      preview: preview || previewOf(request.method ?? "", message),
      durationMs: t - request.t,
      pair,
    };
  }
}

function otherRow(entry: Exclude<RecordingEntry, { kind: "message" }>, index: number): Writable<TraceRow> | undefined {
  const base = { entry: index, t: entry.t, failed: false };
  switch (entry.kind) {
    case "noise":
      return { ...base, kind: "noise", from: entry.from, preview: entry.text, failed: entry.text.trim() !== "" };
    case "stderr":
      return { ...base, kind: "stderr", from: "agent", preview: entry.text };
    case "process":
      return { ...base, kind: "process", ...processWords(entry) };
    case "left_out":
      return { ...base, kind: "note", preview: leftOutWords(entry), failed: true };
    case "note":
      return { ...base, kind: "note", preview: entry.text };
    case "peers":
      return { ...base, kind: "note", preview: peersWords(entry) };
    default:
      return undefined;
  }
}

function leftOutWords({ reason, entries, bytes, message }: Extract<RecordingEntry, { kind: "left_out" }>): string {
  if (reason === "not_recordable") return `an entry could not be recorded: ${message ?? "unknown"}`;
  if (entries === 0) return "the recording is full: from here on only the process is recorded";
  return `the recording was full: ${entries} entries (${bytes} bytes) were left out`;
}

function peersWords({ client, agent, protocolVersion }: Extract<RecordingEntry, { kind: "peers" }>): string {
  const named = (peer: { name: string; version: string } | undefined): string =>
    peer === undefined ? "nameless" : `${peer.name} ${peer.version}`;
  return `client: ${named(client)}, agent: ${named(agent)}, protocol version ${protocolVersion ?? "unknown"}`;
}

function processWords(entry: Extract<RecordingEntry, { kind: "process" }>): { preview: string; failed: boolean } {
  switch (entry.event) {
    case "started": {
      // An agent in the same process has no command.
      const command = entry.command === undefined ? "" : `: ${entry.command.join(" ")}`;
      return { preview: `agent started${command}${entry.pid ? ` (pid ${entry.pid})` : ""}`, failed: false };
    }
    case "failed":
      return { preview: `agent could not be started: ${entry.reason}`, failed: true };
    case "signal":
      return { preview: `${entry.signal} sent to the agent`, failed: false };
    case "input_ended":
      return { preview: "client closed the agent's input", failed: false };
    case "output_ended":
      return { preview: "agent closed its output", failed: false };
    case "exited": {
      const how = entry.signal === null ? `with ${entry.exitCode}` : `by ${entry.signal}`;
      return { preview: `agent exited ${how}`, failed: entry.signal !== null || entry.exitCode !== 0 };
    }
    default:
      return { preview: String((entry as { event: unknown }).event), failed: false };
  }
}
