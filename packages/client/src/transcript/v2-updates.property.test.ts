import type { V2Update } from "@acp-kit/protocol";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTranscript } from "./read-transcript.js";
import { reduceTranscript } from "./reduce-transcript.js";
import { createTranscript } from "./transcript.js";
import type { MessageEntry, ToolCallEntry } from "./transcript-entry.js";
import type { TranscriptEvent } from "./transcript-event.js";
import type { TranscriptSnapshot } from "./transcript-snapshot.js";

type Members = Record<string, unknown>;

const event = (update: V2Update | Members): TranscriptEvent => ({
  type: "update",
  update: update as unknown as IncomingSessionUpdate,
});

/** Applies events with snapshots and round trips through JSON in between, at places that `look` chooses. */
function applied(events: readonly TranscriptEvent[], look: Iterator<number>): TranscriptSnapshot {
  let transcript = createTranscript();
  for (const one of events) {
    transcript.apply(one);
    const choice = look.next().value % 4;
    if (choice === 0) transcript.snapshot;
    if (choice === 1) transcript = createTranscript({ from: JSON.parse(JSON.stringify(transcript)) });
  }
  return transcript.snapshot;
}

const looks = fc.infiniteStream(fc.nat(3));
const text = (value: string): Members => ({ type: "text", text: value });
const image: Members = { type: "image", data: "", mimeType: "image/png" };
const marked: Members = { type: "text", text: "m", annotations: { priority: 1 } };
const blocks = fc.array(fc.constantFrom(text("a"), text("bc"), text("😀"), image, marked), { maxLength: 3 });
const meta = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom<unknown>(1, "x", { n: 1 }, null));
const patch = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.option(fc.option(value, { nil: null }), { nil: undefined });
const given = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

// ── the reference model: what the protocol says, without any optimization ──

/** Members of `_meta` are patched one by one: `null` removes a member, and `null` instead of the object all of them. */
function patchMeta(before: Members, change: Members | null | undefined): Members {
  if (change === undefined) return before;
  if (change === null) return {};
  const after = { ...before, ...change };
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null));
}

interface ModelMessage {
  content: Members[];
  meta: Members;
}

/** Plain texts that chunks append are one block. */
function append(content: readonly Members[], chunk: Members): Members[] {
  const last = content.at(-1);
  if (chunk.type !== "text" || chunk.annotations !== undefined) return [...content, chunk];
  if (chunk.text === "") return [...content];
  if (last?.type !== "text" || last.annotations !== undefined) return [...content, chunk];
  return [...content.slice(0, -1), text(`${last.text}${chunk.text}`)];
}

const wholes = { user_message: "user_message", agent_message: "agent_message", agent_thought: "thought" } as const;
const chunks = {
  user_message_chunk: "user_message",
  agent_message_chunk: "agent_message",
  agent_thought_chunk: "thought",
} as const;

const messageUpdate = fc.oneof(
  fc
    .record({
      sessionUpdate: fc.constantFrom(...(Object.keys(wholes) as (keyof typeof wholes)[])),
      messageId: fc.constantFrom("1", "2"),
      content: patch(blocks),
      _meta: patch(meta),
    })
    .map(given),
  fc.record({
    sessionUpdate: fc.constantFrom(...(Object.keys(chunks) as (keyof typeof chunks)[])),
    messageId: fc.constantFrom("1", "2"),
    content: fc.constantFrom(text("d"), text(" e"), image, marked),
  }),
);

function modelOfMessages(updates: readonly Members[]): Map<string, ModelMessage> {
  const messages = new Map<string, ModelMessage>();
  for (const update of updates) {
    const { sessionUpdate: tag, messageId, content, _meta } = update as Members & { sessionUpdate: string };
    const kind = (wholes as Members)[tag] ?? (chunks as Members)[tag];
    const key = `${kind} ${messageId}`;
    const message = messages.get(key) ?? { content: [], meta: {} };
    messages.set(key, message);
    if (tag in chunks) message.content = append(message.content, content as Members);
    else if (content !== undefined) message.content = (content as Members[] | null) ?? [];
    message.meta = patchMeta(message.meta, _meta as Members | null | undefined);
  }
  return messages;
}

const toolUpdate = fc.oneof(
  fc
    .record({
      sessionUpdate: fc.constant("tool_call_update"),
      toolCallId: fc.constantFrom("1", "2"),
      title: fc.constantFrom(undefined, "T", ""),
      status: fc.constantFrom(undefined, "pending", "in_progress", "paused", "cancelled", "completed", "_odd"),
      content: fc.constantFrom(undefined, [], [{ type: "content", content: text("a") }]),
      name: fc.constantFrom(undefined, "n"),
      rawInput: fc.constantFrom(undefined, { a: 1 }),
      rawOutput: fc.constantFrom(undefined, "out"),
      capabilities: fc.constantFrom(undefined, {}, { cancel: {} }, { cancel: null }),
      clears: fc.option(fc.subarray(["name", "rawInput", "rawOutput", "_meta"]), { nil: undefined }),
      _meta: fc.option(meta, { nil: undefined }),
    })
    .map((update) => {
      const { clears = [] } = update; // a member is set or cleared, not both
      return given({ ...update, ...Object.fromEntries(clears.map((name) => [name, undefined])) });
    }),
  fc.record({
    sessionUpdate: fc.constant("tool_call_content_chunk"),
    toolCallId: fc.constantFrom("1", "2"),
    content: fc.constantFrom({ type: "content", content: text("b") }, { type: "_odd", any: 1 }),
  }),
);

function modelOfCalls(updates: readonly Members[]): Map<string, Members> {
  const calls = new Map<string, Members>();
  for (const update of updates) {
    const {
      sessionUpdate,
      toolCallId,
      content,
      clears = [],
      capabilities,
      _meta,
      ...rest
    } = update as Members & {
      toolCallId: string;
      content?: unknown;
      clears?: readonly string[];
      capabilities?: { cancel?: object | null };
      _meta?: Members;
    };
    const call = calls.get(toolCallId) ?? { title: "", status: "pending", content: [], canCancel: false, meta: {} };
    calls.set(toolCallId, call);
    if (sessionUpdate === "tool_call_content_chunk") call.content = [...(call.content as unknown[]), content];
    else if (content !== undefined) call.content = content;
    Object.assign(call, rest);
    for (const name of clears) delete call[name];
    if (capabilities !== undefined) call.canCancel = capabilities.cancel != null;
    call.meta = clears.includes("_meta") ? {} : patchMeta(call.meta as Members, _meta);
  }
  return calls;
}

describe("a transcript equals the reference model of the protocol", () => {
  test("V2-REQ-19: whole messages by kind and id, clears by null, chunks after a replacement, _meta by member", () => {
    fc.assert(
      fc.property(fc.array(messageUpdate, { maxLength: 30 }), looks, (updates, look) => {
        const { entries } = applied(updates.map(event), look[Symbol.iterator]());
        const found = (entries as readonly MessageEntry[]).map((entry) => [
          `${entry.type} ${entry.messageId}`,
          { content: entry.content, meta: entry.meta ?? {} },
        ]);
        expect(found).toEqual([...modelOfMessages(updates)]);
        for (const { text: joined, content } of entries as readonly MessageEntry[])
          expect(joined).toBe(content.map((block) => (block.type === "text" ? block.text : "")).join(""));
      }),
      { numRuns: 500 },
    );
  });

  test("V2-REQ-19: tool calls, their clears and the items of their content", () => {
    fc.assert(
      fc.property(fc.array(toolUpdate, { maxLength: 30 }), looks, (updates, look) => {
        const { entries } = applied(updates.map(event), look[Symbol.iterator]());
        const found = (entries as readonly ToolCallEntry[]).map((entry) => {
          const { title, status, content, name, rawInput, rawOutput, canCancel = false, meta = {} } = entry;
          return [entry.toolCallId, given({ title, status, content, name, rawInput, rawOutput, canCancel, meta })];
        });
        expect(found).toEqual([...modelOfCalls(updates)]);
      }),
      { numRuns: 500 },
    );
  });
});

// ── terminals ────────────────────────────────────────────────────────────────────────────────────────────────────────

const base64 = (bytes: readonly number[]): string => btoa(String.fromCharCode(...bytes));
const utf8 = (value: string): number[] => [...new TextEncoder().encode(value)];
/** Bytes of text, cut anywhere, and bytes that are no text. */
const bytes = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 6 }).map(utf8) },
  { weight: 1, arbitrary: fc.array(fc.nat(255), { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom([0xf0, 0x9f], [0x98, 0x80], [0xe2, 0x82], [0xac], [0xef, 0xbb, 0xbf]) },
);
const terminalPart = fc.oneof(
  { weight: 5, arbitrary: bytes.map((data) => ({ kind: "chunk" as const, data })) },
  { weight: 1, arbitrary: bytes.map((data) => ({ kind: "snapshot" as const, data })) },
  { weight: 1, arbitrary: fc.constant({ kind: "clear" as const, data: [] as number[] }) },
  { weight: 1, arbitrary: fc.constant({ kind: "not base64" as const, data: [] as number[] }) },
);

test("V2-REQ-20: the output is the text of all bytes since the last snapshot, whatever the cuts between chunks", () => {
  fc.assert(
    fc.property(fc.array(terminalPart, { maxLength: 20 }), looks, (parts, look) => {
      let all: number[] = [];
      const events = parts.map(({ kind, data }) => {
        if (kind === "not base64") {
          return event({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "§" });
        }
        if (kind === "chunk") {
          all.push(...data);
          return event({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: base64(data) });
        }
        all = [...data];
        const output = kind === "clear" ? null : { data: base64(data) };
        return event({ sessionUpdate: "terminal_update", terminalId: "t", output });
      });
      const { terminals } = applied(events, look[Symbol.iterator]());
      // An incomplete character at the end is not shown yet, so the decoder is not flushed.
      const expected = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(all), { stream: true });
      if (parts.length > 0) expect(terminals.t).toMatchObject({ owner: "agent", output: expected });
    }),
    { numRuns: 1_000 },
  );
});

test("a snapshot with the parts of version 2 is plain JSON that can be read again", () => {
  const updates = fc.array(fc.oneof(messageUpdate, toolUpdate), { maxLength: 20 });
  fc.assert(
    fc.property(updates, (sent) => {
      const snapshot = reduceTranscript(undefined, sent.map(event));
      expect(readTranscript(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot);
    }),
    { numRuns: 100 },
  );
});
