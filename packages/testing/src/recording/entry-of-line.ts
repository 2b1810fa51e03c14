import type { RecordingEntry } from "./format.js";

type Members = Readonly<Record<string, unknown>>;

/** The members that each kind of line requires, and their types. A line may have other members, which the entry keeps. */
const kinds: Readonly<Record<RecordingEntry["kind"], (line: Members) => boolean>> = {
  message: (line) => isSide(line.from) && "message" in line,
  noise: (line) => isSide(line.from) && typeof line.text === "string",
  stderr: (line) => typeof line.text === "string",
  process: ({ event, command, pid, reason, signal, exitCode }) =>
    typeof event === "string" &&
    (command === undefined || (Array.isArray(command) && command.every((word) => typeof word === "string"))) &&
    [reason, signal].every(isOptionalText) &&
    [pid, exitCode].every(isOptionalNumber),
  peers: ({ client, agent, protocolVersion }) => [client, agent].every(isPeer) && isOptionalNumber(protocolVersion),
  left_out: ({ entries, bytes }) => [entries, bytes].every(isOptionalNumber),
  note: (line) => typeof line.text === "string",
};

/** Returns the entry that a line of a recording contains, or `undefined` if the kind of the line is unknown. */
export function entryOf(value: unknown): RecordingEntry | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const line = value as Members;
  if (typeof line.t !== "number" || typeof line.kind !== "string" || !Object.hasOwn(kinds, line.kind)) return undefined;
  return kinds[line.kind as RecordingEntry["kind"]](line) ? (value as RecordingEntry) : undefined;
}

function isOptionalText(value: unknown): boolean {
  return value == null || typeof value === "string";
}

function isOptionalNumber(value: unknown): boolean {
  return value == null || typeof value === "number";
}

function isPeer(value: unknown): boolean {
  if (value === undefined) return true;
  const { name, version } = Object(value) as Members;
  return typeof name === "string" && typeof version === "string";
}

function isSide(value: unknown): boolean {
  return value === "client" || value === "agent";
}
