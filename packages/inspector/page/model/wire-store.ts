import { type RecordingEntry, type TraceRow, Tracer } from "@acp-kit/testing/recording";
import { Conversation } from "./conversation.js";
import type { Mark } from "./protocol.js";
import { nextFrame, Signal } from "./signal.js";

/** How long the page works on new entries in one frame, in milliseconds: the rest of the frame is for drawing and input. */
const WORK_MS = 7;

/** Everything that the page knows of the wire: the entries as text, a row for each, the conversation, and the marks. */
export class WireStore {
  readonly signal = new Signal();
  readonly rows: TraceRow[] = [];
  conversation = new Conversation();
  header = "";
  /** The number of rows that are errors. */
  failed = 0;
  marks: readonly Mark[] = [];
  #marksOf = new Map<number, Mark[]>();
  #lines: string[] = [];
  #tracer = new Tracer();
  /** Lines that have arrived and are not processed yet; the position avoids moving them. */
  #waiting: string[] = [];
  #next = 0;
  #isWorking = false;

  /** The number of entries that are processed. */
  get length(): number {
    return this.#lines.length;
  }

  /** The number of entries that have arrived and wait. */
  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  /** The entry, parsed from its line: keeping the text costs a tenth of keeping the values. */
  entry(index: number): RecordingEntry | undefined {
    return parsed(this.#lines[index]);
  }

  /** The line of an entry, for a search. */
  line(index: number): string {
    return this.#lines[index] ?? "";
  }

  /** The marks of an entry. */
  marksOf(index: number): readonly Mark[] {
    return this.#marksOf.get(index) ?? none;
  }

  setMarks(marks: readonly Mark[]): void {
    this.marks = marks;
    this.#marksOf = new Map();
    for (const mark of marks) {
      const known = this.#marksOf.get(mark.entry);
      if (known === undefined) this.#marksOf.set(mark.entry, [mark]);
      else known.push(mark);
    }
    this.signal.changed();
  }

  /** Begins again, for a connection that sends everything from the first entry on. */
  reset(header: string): void {
    this.header = header;
    this.rows.length = 0;
    this.failed = 0;
    this.#lines = [];
    this.#tracer = new Tracer();
    this.#waiting = [];
    this.#next = 0;
    this.conversation = new Conversation();
    this.setMarks([]);
  }

  /** Adds lines; they are processed in the next frames. */
  add(lines: readonly string[]): void {
    for (const line of lines) this.#waiting.push(line);
    this.#work();
  }

  /** The whole recording, as the content of a file. */
  text(): string {
    return `${[this.header.trimEnd(), ...this.#lines].join("\n")}\n`;
  }

  /** The conversation up to and including an entry; a later call makes an earlier one return `undefined`. */
  async conversationAt(index: number, signal: AbortSignal): Promise<Conversation | undefined> {
    const conversation = new Conversation();
    let at = 0;
    while (at <= index) {
      const end = performance.now() + WORK_MS;
      while (at <= index && performance.now() < end) {
        const entry = this.entry(at);
        if (entry !== undefined) conversation.add(entry);
        at += 1;
      }
      if (at <= index) await new Promise<void>((resolve) => nextFrame(resolve));
      if (signal.aborted) return undefined;
    }
    return conversation;
  }

  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    nextFrame(() => {
      this.#isWorking = false;
      const end = performance.now() + WORK_MS;
      let count = 0;
      while (this.#next < this.#waiting.length && (count % 16 !== 0 || performance.now() < end)) {
        this.#process(this.#waiting[this.#next] ?? "");
        this.#next += 1;
        count += 1;
      }
      if (this.#next === this.#waiting.length) {
        this.#waiting = [];
        this.#next = 0;
      } else this.#work();
      this.signal.changed();
    });
  }

  #process(line: string): void {
    const entry = parsed(line);
    if (entry === undefined) return;
    this.#lines.push(line);
    for (const row of this.#tracer.add(entry)) {
      this.rows.push(row);
      if (row.failed) this.failed += 1;
    }
    this.conversation.add(entry);
  }
}

const none: readonly Mark[] = [];

function parsed(line: string | undefined): RecordingEntry | undefined {
  if (line === undefined || line === "") return undefined;
  try {
    return JSON.parse(line) as RecordingEntry;
  } catch {
    return undefined;
  }
}
