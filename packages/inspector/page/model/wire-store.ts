import { type RecordingEntry, type TraceRow, Tracer } from "@acp-kit/testing/recording";
import type { Mark } from "../../src/node/marks/mark.js";
import { Conversation } from "./conversation.js";
import { nextFrame, nextTask, Signal } from "./signal.js";

/** The maximum time of a task that processes entries, in ms. The browser draws between two tasks. */
const WORK_MS = 7;

/** The recorded messages in the page: the entries as text, a row for each entry, the conversation, and the marks. */
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
  /** Received lines. The lines from the index `#next` on are not processed yet. */
  #waiting: string[] = [];
  #next = 0;
  #isWorking = false;

  /** The number of entries that are processed. */
  get length(): number {
    return this.#lines.length;
  }

  /** The number of received entries that are not processed yet. */
  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  /** Returns an entry. Only lines are stored: they need a tenth of the memory of parsed values. */
  entry(index: number): RecordingEntry | undefined {
    return parsed(this.#lines[index]);
  }

  /** Returns the line of an entry, for searches. */
  line(index: number): string {
    return this.#lines[index] ?? "";
  }

  /** Returns the marks of an entry. */
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

  /** Removes all entries. A new connection sends them again. */
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

  /** Adds lines, which are processed in the next tasks. */
  add(lines: readonly string[]): void {
    for (const line of lines) this.#waiting.push(line);
    this.#work();
  }

  /** The whole recording, as the content of a file. */
  text(): string {
    return `${[this.header.trimEnd(), ...this.#lines].join("\n")}\n`;
  }

  /** Returns the conversation up to and including an entry, or `undefined` if `signal` aborts first. */
  async conversationAt(index: number, signal: AbortSignal): Promise<Conversation | undefined> {
    const conversation = new Conversation();
    const lines = this.#lines; // a reset replaces this list
    let at = 0;
    while (at <= index) {
      const end = performance.now() + WORK_MS;
      while (at <= index && performance.now() < end) {
        const entry = parsed(lines[at]);
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
    // Entries are processed in tasks, and not once per frame. If frames are slow, one step per frame would be slower
    // than the arrival of entries, although the page is idle between two frames.
    nextTask(() => {
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
