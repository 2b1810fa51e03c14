import type { IncomingSessionUpdate } from "@acp-kit/types";
import { readTranscript } from "./read-transcript.js";
import { type Readable, selectFrom } from "./readable.js";
import { TranscriptBuilder } from "./transcript-builder.js";
import type { TranscriptEvent } from "./transcript-event.js";
import { emptyTranscript, type TranscriptSnapshot } from "./transcript-snapshot.js";

/** How a transcript is made. */
export interface TranscriptOptions {
  /** Where it goes on from: a snapshot, or what `JSON.parse` made of one. */
  readonly from?: unknown;
  /**
   * When subscribers are told: runs `notify` once, later. Default: in a microtask, so that what arrived together is told together. In a web
   * page `requestAnimationFrame` draws once per frame.
   */
  readonly schedule?: (notify: () => void) => void;
  /** Hears what subscribers throw. By default it is thrown where `schedule` runs, once all have been told. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Everything a session tells, joined to one value that can be drawn.
 *
 * Events are cheap, however long the conversation is; a snapshot is only made when somebody looks. Snapshots are immutable and share what did
 * not change.
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
  /** Subscribers have been told of this one. */
  #told: TranscriptSnapshot;

  /** @internal Made by {@link createTranscript}; a session's own has no past, and so no need of `readTranscript`. */
  constructor(
    { schedule = queueMicrotask, onError }: TranscriptOptions = {},
    from: TranscriptSnapshot = emptyTranscript,
  ) {
    this.#builder = new TranscriptBuilder(from);
    this.#schedule = schedule;
    this.#onError = onError;
    this.#told = from;
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
      if (this.#listeners.size === 0) this.#told = this.#builder.snapshot;
      const entry = { listener }; // the same function may subscribe twice
      this.#listeners.add(entry);
      return () => void this.#listeners?.delete(entry);
    };
    return this.#subscribe;
  }

  /** A part of the transcript, for who draws only that: its subscribers are told when it is another, by `isEqual` (default `Object.is`). */
  select<Part>(
    selector: (snapshot: TranscriptSnapshot) => Part,
    isEqual?: (a: Part, b: Part) => boolean,
  ): Readable<Part> {
    return selectFrom(this, selector, isEqual);
  }

  /** Tells it an event. A session's own transcript is told everything by the session. */
  apply(event: TranscriptEvent): void {
    if (this.#builder.apply(event)) this.#changed();
  }

  /** Tells it an update: {@link apply} without the event around it. */
  update(update: IncomingSessionUpdate): void {
    if (this.#builder.update(update)) this.#changed();
  }

  /** For `JSON.stringify`; `createTranscript({ from })` and `readTranscript` read it. */
  toJSON(): TranscriptSnapshot {
    return this.snapshot;
  }

  #changed(): void {
    if (this.#scheduled || !this.#listeners?.size) return;
    this.#scheduled = true;
    this.#schedule(() => {
      this.#scheduled = false; // first: a listener may tell the transcript something
      this.#notify();
    });
  }

  #notify(): void {
    const { snapshot } = this.#builder;
    if (snapshot === this.#told) return;
    this.#told = snapshot;
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

/** A transcript without a connection: for updates that come some other way, or out of a file. */
export function createTranscript(options: TranscriptOptions = {}): Transcript {
  const { from } = options;
  return new Transcript(options, from === undefined ? emptyTranscript : readTranscript(from));
}
