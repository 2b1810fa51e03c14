import type { RecordingEntry } from "./format.js";

type Members = Readonly<Record<string, unknown>>;

/** The required members of each kind of line. A line may have other members, which the entry keeps. */
const kinds: Readonly<Record<RecordingEntry["kind"], (line: Members) => boolean>> = {
  message: (line) => isSide(line.from) && "message" in line,
  noise: (line) => isSide(line.from) && typeof line.text === "string",
  stderr: (line) => typeof line.text === "string",
  process: (line) => typeof line.event === "string",
  peers: () => true,
  left_out: () => true,
  note: (line) => typeof line.text === "string",
};

/** Returns the entry that a line of a recording contains, or `undefined` if the kind of the line is unknown. */
export function entryOf(value: unknown): RecordingEntry | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const line = value as Members;
  if (typeof line.t !== "number" || typeof line.kind !== "string" || !Object.hasOwn(kinds, line.kind)) return undefined;
  return kinds[line.kind as RecordingEntry["kind"]](line) ? (value as RecordingEntry) : undefined;
}

function isSide(value: unknown): boolean {
  return value === "client" || value === "agent";
}
