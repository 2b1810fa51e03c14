import type { IncomingSessionUpdate, IncomingToolCallUpdate } from "@acp-kit/types";
import type { EntryList } from "./entry-list.js";
import type { TerminalList } from "./terminal-list.js";
import type { MessageEntry, ToolCallEntry, TranscriptEntry } from "./transcript-entry.js";
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

/** The members of an entry that depend on the place where it is added. */
export type Position = Pick<TranscriptEntry, "key" | "turn" | "replayed">;

/** The parts of a transcript that an extension changes. */
export interface TranscriptParts {
  /** The entries. A load replaces this object. */
  entries(): EntryList;
  readonly terminals: TerminalList;
  /** The current state, except for entries and terminals. */
  now(): TranscriptSnapshot;
  /** The indexes of the turns that run. */
  running(): readonly number[];
  /** The next snapshot, whose members the extension may replace. */
  draft(): Draft<TranscriptSnapshot>;
  position(): Position;
  /** Adds an empty message and returns its index. */
  addMessage(type: MessageEntry["type"], messageId: string): number;
  /** Returns the index of a tool call, which it adds if it is unknown. */
  callAt(toolCallId: string): number;
  /** Marks all open tool calls as unfinished, except those that continue. */
  abandonOpen(): void;
}

/** Creates an extension for a transcript. */
export type ExtendTranscript = (transcript: TranscriptParts) => TranscriptExtension;
