import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import { extendAll } from "./extend-all.js";
import { readTranscript } from "./read-transcript.js";
import { type Readable, selectFrom } from "./readable.js";
import { TranscriptBuilder } from "./transcript-builder.js";
import type { TranscriptEvent } from "./transcript-event.js";
import type { ExtendTranscript } from "./transcript-extension.js";
import { emptyTranscript, type TranscriptSnapshot } from "./transcript-snapshot.js";

/** Options of a {@link Transcript}. */
export interface TranscriptOptions {
  /** The snapshot with which the transcript starts. A value that `JSON.parse` returned is allowed, too. */
  readonly from?: unknown;
  /**
   * Schedules `notify`, which calls the subscribers. The function must call `notify` once, later. With the default,
   * `queueMicrotask`, subscribers are called once for changes that arrive together. In a web page, pass
   * `requestAnimationFrame` to draw once per frame.
   */
  readonly schedule?: (notify: () => void) => void;
  /**
   * Receives the errors that subscribers and `schedule` throw. By default, the first error of the subscribers is thrown
   * after all of them have been called, and an error of `schedule` is thrown to the caller that applies the event.
   */
  readonly onError?: (error: unknown) => void;
}

/**
 * The whole conversation of a session, accumulated from its updates, for a user interface.
 *
 * Applying an event is cheap, however long the conversation is, because a snapshot is created only when it is read.
 * Snapshots are immutable and share the parts that did not change.
 *
 * @example
 * ```ts
 * session.transcript.subscribe(() => draw(session.transcript.snapshot));
 * const title = session.transcript.select(({ title }) => title ?? "Untitled");
 * // in React: useSyncExternalStore(title.subscribe, title.getSnapshot)
 * ```
 */
export class Transcript implements Readable<TranscriptSnapshot> {
  readonly #builder: TranscriptBuilder;
  readonly #schedule: (notify: () => void) => void;
  readonly #onError: ((error: unknown) => void) | undefined;
  #listeners: Set<{ readonly listener: () => void }> | undefined;
  #getSnapshot: (() => TranscriptSnapshot) | undefined;
  #subscribe: ((listener: () => void) => () => void) | undefined;
  #scheduled = false;
  /** The snapshot at the time when subscribers were last notified. */
  #notified: TranscriptSnapshot;

  /**
   * @internal Use {@link createTranscript}. Sessions call this directly, because their transcripts start empty and need
   * no `readTranscript`.
   */
  constructor(
    { schedule = queueMicrotask, onError }: TranscriptOptions = {},
    from: TranscriptSnapshot = emptyTranscript,
    extend?: ExtendTranscript,
  ) {
    this.#builder = new TranscriptBuilder(from, extend);
    this.#schedule = schedule;
    this.#onError = onError;
    this.#notified = from;
  }

  get snapshot(): TranscriptSnapshot {
    return this.#builder.snapshot;
  }

  get getSnapshot(): () => TranscriptSnapshot {
    this.#getSnapshot ??= () => this.#builder.snapshot;
    return this.#getSnapshot;
  }

  get subscribe(): (listener: () => void) => () => void {
    this.#subscribe ??= (listener) => {
      this.#listeners ??= new Set();
      if (this.#listeners.size === 0) this.#notified = this.#builder.snapshot;
      const entry = { listener }; // the same function may subscribe twice
      this.#listeners.add(entry);
      return () => void this.#listeners?.delete(entry);
    };
    return this.#subscribe;
  }

  /**
   * Selects a part of the transcript. Subscribers of the part are called only when `isEqual` (default `Object.is`) says
   * that it has changed.
   */
  select<Part>(
    selector: (snapshot: TranscriptSnapshot) => Part,
    isEqual?: (a: Part, b: Part) => boolean,
  ): Readable<Part> {
    return selectFrom(this, selector, isEqual);
  }

  /** Applies an event to the transcript. A session does this automatically for its own transcript. */
  apply(event: TranscriptEvent): void {
    if (this.#builder.apply(event)) this.#changed();
  }

  /** Applies an update of the agent to the transcript. */
  update(update: IncomingSessionUpdate): void {
    if (this.#builder.update(update)) this.#changed();
  }

  /**
   * Returns the snapshot, so that `JSON.stringify` works. `createTranscript({ from })` and `readTranscript` read the
   * JSON again.
   */
  toJSON(): TranscriptSnapshot {
    return this.snapshot;
  }

  #changed(): void {
    if (this.#scheduled || !this.#listeners?.size) return;
    this.#scheduled = true;
    // Stored in a variable, because `requestAnimationFrame` fails if it is called as a method of another object.
    const schedule = this.#schedule;
    const notify = (): void => {
      this.#scheduled = false; // reset before the notification, because a listener may apply an event
      this.#notify();
    };
    try {
      schedule(notify);
    } catch (error) {
      queueMicrotask(notify); // otherwise, subscribers would not be called again
      if (this.#onError === undefined) throw error;
      this.#onError(error);
    }
  }

  #notify(): void {
    const { snapshot } = this.#builder;
    if (snapshot === this.#notified) return;
    this.#notified = snapshot;
    const errors: unknown[] = [];
    for (const { listener } of [...(this.#listeners ?? [])]) {
      try {
        listener();
      } catch (error) {
        errors.push(error);
      }
    }
    if (this.#onError !== undefined) errors.forEach(this.#onError);
    else if (errors.length > 0) throw errors[0];
  }
}

/**
 * Creates a transcript that belongs to no session, for updates that the application gets from elsewhere, such as a
 * file.
 */
export function createTranscript(options: TranscriptOptions = {}): Transcript {
  checkOptions("createTranscript", options, optionKinds);
  const { from } = options;
  return new Transcript(options, from === undefined ? emptyTranscript : readTranscript(from), extendAll);
}

const optionKinds: OptionKinds<TranscriptOptions> = { from: "value", schedule: "function", onError: "function" };
