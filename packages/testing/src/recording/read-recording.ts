import { entryOf } from "./entry-of-line.js";
import {
  RECORDING_VERSION,
  type Recording,
  type RecordingEntry,
  type RecordingHeader,
  type RecordingProblem,
} from "./format.js";
import { isRecordable, isTextRecordable } from "./recordable.js";
import { RecordingError } from "./recording-error.js";
import { entryOfWireTap, isWireTap, wireTapHeader } from "./wire-tap.js";

/**
 * Reads a recording, complete or not: an incomplete last line and unknown lines are skipped and listed in `problems`.
 * The function also reads files without a header whose lines have the form `{t, dir: "c2a" | "a2c", msg}`, which other
 * programs write.
 *
 * @throws {RecordingError} when the text is not a recording, or has a newer version.
 */
export function readRecording(text: string): Recording {
  const reader = new RecordingReader();
  reader.push(text);
  return reader.end();
}

/** Reads a recording that arrives in chunks, or that is still being written. A chunk may end anywhere. */
export class RecordingReader {
  readonly #entries: RecordingEntry[] = [];
  readonly #problems: RecordingProblem[] = [];
  #header: RecordingHeader | undefined;
  #entryOf: (value: unknown) => RecordingEntry | undefined = entryOf;
  /** The pieces of the incomplete last line. Joining them at each chunk would take quadratic time for a long line. */
  #rest: string[] = [];
  #line = 0;

  /** The header of the recording; `undefined` until the first line has arrived. */
  get header(): RecordingHeader | undefined {
    return this.#header;
  }

  /**
   * Reads a chunk and returns the new entries.
   *
   * @throws {RecordingError} when the text is not a recording, or has a newer version.
   */
  push(text: string): readonly RecordingEntry[] {
    const from = this.#entries.length;
    const [first = "", ...others] = text.split("\n");
    this.#rest.push(first);
    for (const next of others) {
      this.#readRest(false);
      this.#rest.push(next);
    }
    return this.#entries.slice(from);
  }

  /** Returns the whole recording. A last line without a line end counts if it is complete JSON. */
  end(): Recording {
    this.#readRest(true);
    if (this.#header === undefined) throw new RecordingError("empty", "The recording is empty: it has no header.");
    return { header: this.#header, entries: this.#entries, problems: this.#problems };
  }

  #readRest(last: boolean): void {
    const line = this.#rest.join("");
    this.#rest = [];
    if (!last || line !== "") this.#read(line, last);
  }

  #read(text: string, last: boolean): void {
    this.#line += 1;
    // Some programs that copy a text write a byte order mark before it.
    const line = this.#line === 1 && text.startsWith("\ufeff") ? text.slice(1) : text;
    if (line.trim() === "") return;
    if (!isTextRecordable(line)) {
      this.#unknown("contains too many values to be read", line);
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      if (this.#header === undefined) throw notARecording();
      const problem: Pick<RecordingProblem, "kind" | "message"> = last
        ? { kind: "torn", message: `Line ${this.#line}, the last line, is incomplete.` }
        : { kind: "not_json", message: `Line ${this.#line} is not JSON: ${JSON.stringify(line.slice(0, 60))}` };
      this.#problems.push({ line: this.#line, ...problem });
      return;
    }
    if (!isRecordable(value, ENVELOPE)) {
      this.#unknown("is nested too deep to be read", line);
      return;
    }
    if (this.#header === undefined && this.#readHeader(value)) return;
    const entry = this.#entryOf(value);
    if (entry !== undefined) {
      this.#entries.push(entry);
      return;
    }
    this.#unknown("is unknown to this version", line);
  }

  #unknown(what: string, line: string): void {
    if (this.#header === undefined) throw notARecording();
    const message = `Line ${this.#line} ${what}: ${line.slice(0, 60)}`;
    this.#problems.push({ line: this.#line, kind: "unknown", message });
  }

  #readHeader(value: unknown): boolean {
    if (isWireTap(value)) {
      this.#header = wireTapHeader;
      this.#entryOf = entryOfWireTap;
      return false;
    }
    if (typeof value !== "object" || value === null || !("acpRecording" in value)) throw notARecording();
    const { acpRecording } = value;
    if (typeof acpRecording !== "number") throw notARecording();
    if (acpRecording > RECORDING_VERSION) {
      const message = `The recording has version ${acpRecording} of the format; this program reads versions up to ${RECORDING_VERSION}. Update the program.`;
      throw new RecordingError("newer_version", message);
    }
    this.#header = { ...wireTapHeader, ...(value as RecordingHeader) };
    return true;
  }
}

/** The levels of a line around its message, on top of the message's own. */
const ENVELOPE = 4;

function notARecording(): RecordingError {
  const message =
    'The file is not a recording: its first line is neither a header ({"acpRecording": 1, …}) nor a line of a tap.';
  return new RecordingError("not_a_recording", message);
}
