import type { RecordingEntry } from "./format.js";

type Members = Readonly<Record<string, unknown>>;

/** What each kind of line must have. Members beyond that are kept. */
const kinds: Readonly<Record<RecordingEntry["kind"], (line: Members) => boolean>> = {
  message: (line) => isSide(line.from) && "message" in line,
  noise: (line) => isSide(line.from) && typeof line.text === "string",
  stderr: (line) => typeof line.text === "string",
  process: (line) => typeof line.event === "string",
  peers: () => true,
  left_out: () => true,
  note: (line) => typeof line.text === "string",
};

/** The entry that a line of a recording is; `undefined` when it is none that we know. */
export function entryOf(value: unknown): RecordingEntry | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const line = value as Members;
  if (typeof line.t !== "number" || typeof line.kind !== "string" || !Object.hasOwn(kinds, line.kind)) return undefined;
  return kinds[line.kind as RecordingEntry["kind"]](line) ? (value as RecordingEntry) : undefined;
}

function isSide(value: unknown): boolean {
  return value === "client" || value === "agent";
}
