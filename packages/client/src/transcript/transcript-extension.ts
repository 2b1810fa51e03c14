import type { IncomingSessionUpdate, IncomingToolCallUpdate } from "@acp-kit/types";
import type { TranscriptBuilder } from "./transcript-builder.js";
import type { ToolCallEntry } from "./transcript-entry.js";
import type { TranscriptEvent } from "./transcript-event.js";
import type { TranscriptSnapshot } from "./transcript-snapshot.js";
import type { Draft } from "./writable.js";

/**
 * A part of a transcript for updates and events that not every client needs, so that the smallest client does not
 * contain it. All its state is in the snapshot: a transcript that is read from JSON continues as if it was never
 * written.
 */
export interface TranscriptExtension {
  /** Applies an update of the session; returns whether it was for this extension only. */
  update(update: IncomingSessionUpdate): boolean;
  /** Applies an event that the transcript does not know. */
  apply(event: TranscriptEvent): void;
  /** Applies what an update of a tool call has in addition to version 1. */
  toolCall(index: number, entry: Draft<ToolCallEntry>, update: IncomingToolCallUpdate): void;
  /** Returns whether a tool call continues after the end of its turn. */
  continues(call: ToolCallEntry): boolean;
  /** Writes the state that it changed into the next snapshot. */
  freeze(next: Draft<TranscriptSnapshot>): void;
}

/** Creates an extension for a transcript. */
export type ExtendTranscript = (transcript: TranscriptBuilder) => TranscriptExtension;
