import { jsonText } from "../../json-text.js";
import type { Side } from "../format.js";
import type { Change } from "./meaning.js";

/** A difference between the live peer and the recording. */
export interface Difference {
  /**
   * The kind of difference. `changed`: the live peer sent another message than the recorded one. `unexpected`: the
   * recording has no such message. `missing`: the live peer did not send a recorded message.
   */
  readonly kind: "changed" | "unexpected" | "missing";
  readonly from: Side;
  /** The method of the message; a response has the method of its request. */
  readonly method: string;
  readonly part: "request" | "notification" | "response";
  /** The index of the recorded entry, if there is one. */
  readonly entry?: number;
  /** The places where the two messages differ; empty unless the kind is `changed`. */
  readonly changes: readonly Change[];
}

/** Formats differences as a diff: `-` is the recording, `+` the live peer. Empty without differences. */
export function formatDifferences(differences: readonly Difference[]): string {
  return differences.map(formatDifference).join("");
}

/** Formats one difference, in one or more lines. */
export function formatDifference({ kind, from, method, part, entry, changes }: Difference): string {
  const name = shownName(method);
  const what = part === "response" ? `the response to ${name || "nothing"}` : name || "a message";
  const where = entry === undefined ? "" : ` (entry ${entry + 1} of the recording)`;
  if (kind === "unexpected") return `+ ${from}: ${what}, which is not in the recording\n`;
  if (kind === "missing") return `- ${from}: ${what}, which was not sent${where}\n`;
  const lines = changes
    .slice(0, MAX_CHANGES)
    .flatMap(({ path, recorded, live }) => [
      ...(recorded === undefined ? [] : [`  - ${shownName(path)}: ${shown(recorded)}`]),
      ...(live === undefined ? [] : [`  + ${shownName(path)}: ${shown(live)}`]),
    ]);
  const more = changes.length - MAX_CHANGES;
  if (more > 0) lines.push(`    and ${more} more`);
  return `~ ${from}: ${what} differs${where}\n${lines.join("\n")}\n`;
}

const MAX_CHANGES = 20;
const MAX_LENGTH = 200;

/** Returns a value as JSON for a terminal: escapes control characters, and cuts long values. */
function shown(value: unknown): string {
  return cut(withoutControls(jsonText(value)));
}

/** Returns the name of a method or the path of a member for a terminal, like {@link shown} but without quotes. */
function shownName(name: string): string {
  return cut(withoutControls(jsonText(name).slice(1, -1)));
}

function cut(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)`;
}

/** Escapes the control characters that JSON does not escape. */
function withoutControls(json: string): string {
  return json.replace(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
