import type { IncomingSessionUpdate } from "@acp-kit/types";
import type { ToolKind } from "@acp-kit/types/v2";
import { expectTypeOf } from "vitest";
import type { Readable } from "./readable.js";
import { reduceTranscript } from "./reduce-transcript.js";
import { createTranscript } from "./transcript.js";
import type { MessageEntry, ToolCallEntry, TranscriptEntry, UnknownEntry } from "./transcript-entry.js";
import type { TranscriptEvent } from "./transcript-event.js";
import { emptyTranscript, type TranscriptSnapshot } from "./transcript-snapshot.js";

declare const entry: TranscriptEntry;
declare const event: TranscriptEvent;
declare const update: IncomingSessionUpdate;

// Entries narrow by `type`, and a switch over all of them is exhaustive.
switch (entry.type) {
  case "user_message":
  case "agent_message":
  case "thought":
    expectTypeOf(entry).toEqualTypeOf<MessageEntry>();
    break;
  case "tool_call":
    expectTypeOf(entry).toEqualTypeOf<ToolCallEntry>();
    expectTypeOf(entry.kind).toEqualTypeOf<ToolKind>();
    expectTypeOf(entry.unfinished).toEqualTypeOf<true | undefined>();
    break;
  case "unknown":
    expectTypeOf(entry).toEqualTypeOf<UnknownEntry>();
    expectTypeOf(entry.update.any).toBeUnknown();
    break;
  case "plan":
  case "notice":
  case "compaction":
    break;
  default:
    expectTypeOf(entry).toBeNever();
}

// Snapshots are read-only.
const { snapshot } = createTranscript();
expectTypeOf(snapshot).toEqualTypeOf<TranscriptSnapshot>();
// @ts-expect-error a snapshot never changes
snapshot.title = "x";
// @ts-expect-error nor do the lists in it
snapshot.entries.push(entry);

// `reduceTranscript` accepts one event or a list of events, also with updates of unknown kinds.
expectTypeOf(reduceTranscript(emptyTranscript, event)).toEqualTypeOf<TranscriptSnapshot>();
expectTypeOf(reduceTranscript(undefined, [event, { type: "update", update }])).toEqualTypeOf<TranscriptSnapshot>();
// @ts-expect-error an event that there is not
reduceTranscript(emptyTranscript, { type: "begun" });

// A part that `select` returns is a `Readable`, like the transcript itself.
const title = createTranscript().select((snapshot) => snapshot.title);
expectTypeOf(title).toEqualTypeOf<Readable<string | undefined>>();
expectTypeOf(createTranscript()).toExtend<Readable<TranscriptSnapshot>>();
