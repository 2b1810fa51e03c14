import { extendAll } from "./extend-all.js";
import { TranscriptBuilder } from "./transcript-builder.js";
import type { TranscriptEvent } from "./transcript-event.js";
import { emptyTranscript, type TranscriptSnapshot } from "./transcript-snapshot.js";

/**
 * The builder that created each snapshot. If the next call passes this snapshot, the builder continues and need not
 * read all entries again. A builder continues only from its latest snapshot; an older snapshot gets a new builder.
 */
const builders = new WeakMap<TranscriptSnapshot, TranscriptBuilder>();

/**
 * Returns the transcript snapshot after one or more events. The function never changes the given snapshot, and returns
 * it if the events change nothing.
 *
 * Each call copies the list of entries once, so pass several events as one list.
 *
 * @example
 * ```ts
 * let state = emptyTranscript;
 * state = reduceTranscript(state, { type: "update", update });
 * ```
 */
export function reduceTranscript(
  state: TranscriptSnapshot | undefined,
  events: TranscriptEvent | readonly TranscriptEvent[],
): TranscriptSnapshot {
  const before = state ?? emptyTranscript;
  const latest = builders.get(before);
  builders.delete(before); // so that a builder that has thrown is not used again
  const builder = latest ?? new TranscriptBuilder(before, extendAll);
  for (const event of Array.isArray(events) ? (events as readonly TranscriptEvent[]) : [events as TranscriptEvent]) {
    builder.apply(event);
  }
  const after = builder.snapshot;
  builders.set(after, builder);
  return after;
}
