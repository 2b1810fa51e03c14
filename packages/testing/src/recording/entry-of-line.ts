import type { RecordingEntry } from "./format.js";

type Members = Readonly<Record<string, unknown>>;

/** The members of each kind of line. A line may have other members, which the entry keeps. */
const kinds: Readonly<Record<RecordingEntry["kind"], (line: Members) => boolean>> = {
  message: (line) => isSide(line.from) && "message" in line && isOptional(isNumber, line.bytes),
  noise: (line) => isSide(line.from) && isText(line.text) && isOptional(isNumber, line.bytes),
  stderr: (line) => isText(line.text),
  process: (line) => isText(line.event) && (!Object.hasOwn(events, line.event) || events[line.event]?.(line) === true),
  peers: (line) =>
    isOptional(isPeer, line.client) && isOptional(isPeer, line.agent) && isOptional(isNumber, line.protocolVersion),
  left_out: (line) => isNumber(line.entries) && isNumber(line.bytes),
  note: (line) => isText(line.text),
};

/** The members of each event of the process. Other events have no required members. */
const events: Readonly<Record<string, (line: Members) => boolean>> = {
  started: (line) => isOptional(isTexts, line.command) && isOptional(isNumber, line.pid),
  failed: (line) => isText(line.reason),
  signal: (line) => isText(line.signal),
  exited: (line) =>
    (line.exitCode === null || isNumber(line.exitCode)) && (line.signal === null || isText(line.signal)),
};

/** Returns the entry that a line of a recording contains, or `undefined` if the kind of the line is unknown. */
export function entryOf(value: unknown): RecordingEntry | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const line = value as Members;
  if (!isNumber(line.t) || typeof line.kind !== "string" || !Object.hasOwn(kinds, line.kind)) return undefined;
  return kinds[line.kind as RecordingEntry["kind"]](line) ? (value as RecordingEntry) : undefined;
}

function isOptional(isValid: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || isValid(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

/** JSON can contain `1e999`, which is read as infinity. */
function isNumber(value: unknown): boolean {
  return Number.isFinite(value);
}

function isPeer(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { name, version } = value as Members;
  return isText(name) && isText(version);
}

function isSide(value: unknown): boolean {
  return value === "client" || value === "agent";
}
