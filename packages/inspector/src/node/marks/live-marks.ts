import type { RecordingEntry } from "@acp-kit/testing/recording";
import type { Mark } from "./mark.js";
import { MAX_CHECKED_ENTRIES, ruleMarks, ruleMarksInSteps } from "./rule-marks.js";
import { SchemaMarks } from "./schema-marks.js";

/** The maximum number of schema marks. Further marks are dropped. */
const MAX_MARKS = 20_000;
/** The rules are checked when no message has arrived for this time, in milliseconds. */
const IDLE_MS = 300;
/** The next check waits at least this multiple of the time that the last check took. */
const RATIO = 10;

/**
 * Collects the marks of a recording in progress. Each new entry is checked against the schema immediately. The rules of
 * the conformance kit are checked when no messages arrive.
 */
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
  /** The timer for the next step of a running check. */
  #step: NodeJS.Immediate | undefined;

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

  /** Returns the schema violations of a message that the page has not sent yet. */
  check(message: unknown): readonly string[] {
    return this.#schema.check("client", message);
  }

  /** Checks the rules immediately. Used for a recording to which no more entries are added. */
  checkRules(): void {
    this.close();
    this.#ruleMarks = ruleMarks(this.#entries);
    this.#onChange();
  }

  /** Stops the check that runs or is planned. */
  close(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#step);
  }

  #schedule(): void {
    this.close();
    const pause = Math.max(IDLE_MS, this.#tookMs * RATIO);
    this.#timer = setTimeout(() => this.#check(ruleMarksInSteps(this.#entries), [], 0), pause);
    this.#timer.unref();
  }

  /**
   * Runs one step of a check, and plans the next. Between two steps, messages of the client and the agent are
   * forwarded, because a whole check can take seconds.
   */
  #check(steps: ReturnType<typeof ruleMarksInSteps>, marks: readonly Mark[], tookMs: number): void {
    const start = performance.now();
    const { value, done } = steps.next();
    const took = tookMs + performance.now() - start;
    if (done !== true) {
      this.#step = setImmediate(() => this.#check(steps, [...marks, ...value], took));
      return;
    }
    this.#tookMs = took;
    this.#ruleMarks = marks;
    this.#onChange();
  }
}
