import type { RecordingEntry } from "@acp-kit/testing/recording";
import type { Mark } from "./mark.js";
import { MAX_CHECKED_ENTRIES, ruleMarks } from "./rule-marks.js";
import { SchemaMarks } from "./schema-marks.js";

/** The number of marks that are kept. */
const MAX_MARKS = 20_000;
/** How long the wire must be idle before the rules are checked, in milliseconds. */
const IDLE_MS = 300;
/** Checking the rules again waits this many times longer than the last check took, so that it takes little of the time. */
const RATIO = 10;

/** The marks of a recording while it is made: the schema is checked at once, the rules when the wire is idle. */
export class LiveMarks {
  readonly #schema = new SchemaMarks();
  readonly #entries: RecordingEntry[] = [];
  readonly #onChange: () => void;
  #schemaMarks: readonly Mark[] = [];
  #ruleMarks: readonly Mark[] = [];
  #pending: Mark[] = [];
  #count = 0;
  #tookMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get list(): readonly Mark[] {
    if (this.#pending.length > 0) {
      this.#schemaMarks = [...this.#schemaMarks, ...this.#pending].slice(0, MAX_MARKS);
      this.#pending = [];
    }
    return [...this.#schemaMarks, ...this.#ruleMarks];
  }

  add(entry: RecordingEntry): void {
    const marks = this.#schema.add(entry, this.#count);
    this.#count += 1;
    if (this.#entries.length < MAX_CHECKED_ENTRIES) {
      this.#entries.push(entry);
      this.#schedule();
    }
    if (marks.length === 0 || this.#schemaMarks.length + this.#pending.length >= MAX_MARKS) return;
    this.#pending.push(...marks);
    this.#onChange();
  }

  /** What is wrong with a message of the client that is about to be sent. */
  check(message: unknown): readonly string[] {
    return this.#schema.check("client", message);
  }

  /** Checks the rules now, for a recording that is complete. */
  checkRules(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const start = performance.now();
    this.#ruleMarks = ruleMarks(this.#entries);
    this.#tookMs = performance.now() - start;
    this.#onChange();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.checkRules(), Math.max(IDLE_MS, this.#tookMs * RATIO));
    this.#timer.unref();
  }
}
