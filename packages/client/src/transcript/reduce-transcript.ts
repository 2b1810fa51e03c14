import { TranscriptBuilder } from "./transcript-builder.js";
import type { TranscriptEvent } from "./transcript-event.js";
import { emptyTranscript, type TranscriptSnapshot } from "./transcript-snapshot.js";

/** What was built last goes on being built on, which spares looking through it again; any other snapshot gets a builder of its own. */
const builders = new WeakMap<TranscriptSnapshot, TranscriptBuilder>();

/**
 * The transcript after an event, or after many: a pure function. The snapshot it is given is never changed; when the events tell nothing new
 * it is returned as it is.
 *
 * A list of events is applied at once, for the price of one copy of the list of entries.
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
  const builder = latest ?? new TranscriptBuilder(before);
  for (const event of Array.isArray(events) ? (events as readonly TranscriptEvent[]) : [events as TranscriptEvent]) {
    builder.apply(event);
  }
  const after = builder.snapshot;
  if (latest !== undefined) builders.delete(before);
  builders.set(after, builder);
  return after;
}
