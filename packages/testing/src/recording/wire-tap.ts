import { jsonText } from "../json-text.js";
import type { RecordingEntry, RecordingHeader, Side } from "./format.js";

// Files without a header, with lines in one of these forms: {t, dir: "c2a" | "a2c", msg | raw} and {t, dir: "meta",
// event}, which other programs write; or {t, from, message}, which `acp-kit run --format jsonl` prints and people write
// by hand.

const sides: Readonly<Record<string, Side>> = { c2a: "client", a2c: "agent", client: "client", agent: "agent" };

/** Returns whether a line has one of these forms. */
export function isWireTap(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { dir, from } = value as { dir?: unknown; from?: unknown };
  if (dir === undefined) return typeof from === "string" && Object.hasOwn(sides, from) && "message" in value;
  return dir === "meta" || (typeof dir === "string" && Object.hasOwn(sides, dir));
}

/** The header for a file without one, which states neither time nor place, and hides no secrets. */
export const wireTapHeader: RecordingHeader = {
  acpRecording: 1,
  startedAt: "1970-01-01T00:00:00.000Z",
  recordedIn: "between",
  redacted: { secrets: false, fileContents: false },
};

/** Returns the entry that a line of one of these forms contains. */
export function entryOfWireTap(value: unknown): RecordingEntry | undefined {
  if (!isWireTap(value)) return undefined;
  const line = value as Readonly<Record<string, unknown>>;
  const t = Number.isFinite(line.t) ? (line.t as number) : 0;
  const from = sides[String(line.dir ?? line.from)];
  if (from === undefined) return processEntry(t, line);
  if ("message" in line) return { t, kind: "message", from, message: line.message };
  if ("msg" in line) return { t, kind: "message", from, message: line.msg };
  return typeof line.raw === "string" ? { t, kind: "noise", from, text: line.raw } : undefined;
}

function processEntry(t: number, line: Readonly<Record<string, unknown>>): RecordingEntry {
  const { t: _, dir: __, event, ...data } = line;
  const text = wordOf(event);
  if (text === "spawn") {
    const command = Array.isArray(data.command) ? data.command.map(wordOf) : [];
    return { t, kind: "process", event: "started", command };
  }
  if (text === "exit" || text === "agent exit") {
    const exitCode = typeof data.code === "number" ? data.code : null;
    return { t, kind: "process", event: "exited", exitCode, signal: data.signal == null ? null : wordOf(data.signal) };
  }
  if (text === "client closed stdin") return { t, kind: "process", event: "input_ended" };
  const signal = /^client sent (SIG\w+)$/.exec(text)?.[1];
  if (signal !== undefined) return { t, kind: "process", event: "signal", signal };
  return { t, kind: "note", text, data };
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value);
}
