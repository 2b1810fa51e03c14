import type { IncomingSessionUpdate } from "@acp-kit/types";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readTranscript } from "./read-transcript.js";
import { reduceTranscript } from "./reduce-transcript.js";
import { createTranscript } from "./transcript.js";
import type { TranscriptEvent } from "./transcript-event.js";
import type { TranscriptSnapshot } from "./transcript-snapshot.js";

const words = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("", "a", "Hi", "Hi there", "😀 ", "b c") },
  { weight: 1, arbitrary: fc.nat(100_000).map((length) => "ab ".repeat(length / 3)) },
);
/** Anything, of any depth: what is nested too deep is kept in its upper levels. */
const anything = fc.oneof(
  // JSON has no -0
  { weight: 9, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value))) },
  {
    weight: 1,
    arbitrary: fc.nat(3_000).map((depth) => {
      let value: unknown = depth;
      for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
      return value;
    }),
  },
);
const ids = fc.constantFrom("1", "2");
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record(fields, { requiredKeys: [] });

const block = fc.oneof(
  { weight: 5, arbitrary: words.map((text) => ({ type: "text", text })) },
  { weight: 1, arbitrary: fc.constant({ type: "image", data: "", mimeType: "image/png" }) },
  { weight: 1, arbitrary: fc.constant({ type: "text", text: "x", annotations: { priority: 1 } }) },
  { weight: 1, arbitrary: anything.map((any) => ({ type: "_odd", any })) },
);

const chunk = fc
  .tuple(
    fc.constantFrom("agent_message_chunk", "agent_thought_chunk", "user_message_chunk"),
    block,
    maybe(fc.oneof(ids, fc.constant(null))),
    maybe(fc.constantFrom({ a: 1 }, { b: 2 })),
  )
  .map(([sessionUpdate, content, messageId, _meta]) => ({
    sessionUpdate,
    content,
    ...(messageId !== undefined && { messageId }),
    ...(_meta && { _meta }),
  }));

const terminalMeta = fc.oneof(
  words.map((data) => ({ terminal_output: { terminal_id: "x", data } })),
  fc.constant({ terminal_info: { terminal_id: "x", cwd: "/work" }, vendor: 1 }),
  fc.constant({ terminal_exit: { terminal_id: "x", exit_code: 0, signal: null } }),
);

const toolFields = some({
  title: fc.constantFrom("Run", null),
  kind: fc.constantFrom("read", "edit", null),
  status: fc.constantFrom("pending", "in_progress", "completed", "failed", null),
  content: fc.constantFrom(
    [],
    [{ type: "terminal", terminalId: "x" }],
    [{ type: "diff", path: "/a", newText: "b" }],
    null,
  ),
  locations: fc.constantFrom([], [{ path: "/a" }]),
  rawInput: fc.oneof(fc.constantFrom({ a: 1 }, null), anything),
  _meta: terminalMeta,
});

const toolCall = fc
  .tuple(fc.constantFrom("tool_call", "tool_call_update"), ids, toolFields)
  .map(([sessionUpdate, toolCallId, fields]) => ({ sessionUpdate, toolCallId, ...fields }));

const fact = fc.constantFrom(
  { sessionUpdate: "plan", entries: [] },
  { sessionUpdate: "plan", entries: [{ content: "a", priority: "low", status: "pending" }] },
  { sessionUpdate: "notice", severity: "info", title: "N" },
  { sessionUpdate: "usage_update", used: 1, size: 2 },
  { sessionUpdate: "session_info_update", title: "T" },
  { sessionUpdate: "session_info_update", title: null },
  { sessionUpdate: "current_mode_update", currentModeId: "m" },
  { sessionUpdate: "available_commands_update", availableCommands: [] },
  { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: { type: "text", text: "s" } },
  { sessionUpdate: "compaction_update", compactionId: "c", status: "completed", summary: null },
  { sessionUpdate: "_odd", any: 1 },
);

/** Updates that only version 2 has. */
const v2Fact = fc.oneof(
  fc.record({
    sessionUpdate: fc.constantFrom("user_message", "agent_message", "agent_thought"),
    messageId: ids,
    content: fc.option(fc.array(block, { maxLength: 2 })),
    _meta: fc.constantFrom(null, { a: null }, { b: 3 }),
  }),
  fc.constantFrom(
    { sessionUpdate: "tool_call_content_chunk", toolCallId: "1", content: { type: "terminal", terminalId: "x" } },
    { sessionUpdate: "tool_call_update", toolCallId: "1", clears: ["rawInput"], capabilities: { cancel: {} } },
    { sessionUpdate: "tool_call_update", toolCallId: "2", status: "paused" },
    { sessionUpdate: "terminal_update", terminalId: "x", command: "ls", output: { data: btoa("\xe2\x82") } },
    { sessionUpdate: "terminal_output_chunk", terminalId: "x", data: btoa("\xac") },
    { sessionUpdate: "terminal_update", terminalId: "x", exitStatus: { exitCode: 1 }, command: null },
    { sessionUpdate: "plan_update", plan: { type: "items", planId: "1", entries: [] } },
    { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "2", content: "# Plan" } },
    { sessionUpdate: "plan_removed", planId: "1" },
    { sessionUpdate: "state_update", state: "requires_action", background: [{ type: "terminal", terminalId: "x" }] },
    { sessionUpdate: "state_update", state: "idle", background: [] },
    { sessionUpdate: "state_update", state: "running" },
    { sessionUpdate: "subagent_update", sessionId: "kid", title: "Kid", state: { state: "running" } },
    { sessionUpdate: "subagent_update", sessionId: "kid", title: null, capabilities: { cancel: {} } },
    { sessionUpdate: "subagent_state_update", subagentSessionId: "kid", state: "completed" },
    { sessionUpdate: "session_message", messageId: "1", senderSessionId: "kid" },
    { sessionUpdate: "session_message_chunk", messageId: "1", content: { type: "text", text: "from kid" } },
  ),
);

const update = fc
  .oneof(
    { weight: 6, arbitrary: chunk },
    { weight: 3, arbitrary: toolCall },
    { weight: 2, arbitrary: fact },
    { weight: 2, arbitrary: v2Fact },
  )
  .map((update) => ({ type: "update", update: update as unknown as IncomingSessionUpdate }) as const);

/** Events of child sessions, whose ids are known or not. */
const ofChild = fc
  .tuple(fc.constantFrom("kid", "nobody"), update)
  .map(([sessionId, event]) => ({ type: "child", sessionId, event }) as const);

const prompt = words.map((text) => ({ type: "prompt_sent", prompt: [{ type: "text", text }] }) as const);
const options = [{ optionId: "y", name: "Yes", kind: "allow_once" as const }];
const other: fc.Arbitrary<TranscriptEvent> = fc.oneof(
  prompt,
  ofChild,
  fc.constantFrom<TranscriptEvent>(
    { type: "turn_ended" },
    { type: "turn_cancelled" },
    { type: "turn_joined" },
    { type: "turn_joined", origin: "agent" },
    { type: "prompts_sending", prompts: [[{ type: "text", text: "held" }]] },
    { type: "prompts_sending", prompts: [] },
    { type: "prompt_sent", prompt: [{ type: "text", text: "Hi" }], messageId: "2" },
    { type: "turn_ended", joined: true },
    { type: "turn_ended", joined: true, stopReason: "cancelled" },
    { type: "replay_ended", running: true },
    {
      type: "turn_ended",
      stopReason: "end_turn",
      response: { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } },
    },
    { type: "turn_ended", error: { message: "no" } },
    { type: "replay_began" },
    { type: "replay_ended" },
    { type: "replay_ended", failed: true },
    { type: "permission_requested", requestId: "7", toolCall: { toolCallId: "1" }, options },
    { type: "permission_decided", requestId: "7", toolCallId: "1", outcome: { outcome: "selected", optionId: "y" } },
    { type: "terminal", terminalId: "x", data: "d" },
    { type: "session_opened", sessionId: "s", modes: { currentModeId: "a", availableModes: [] } },
  ),
);

const events = fc.array(fc.oneof({ weight: 5, arbitrary: update }, { weight: 2, arbitrary: other }), { maxLength: 40 });

const all = (sent: readonly TranscriptEvent[]): TranscriptSnapshot => reduceTranscript(undefined, [...sent]);

test("the grouping of events does not matter, nor snapshots in between, nor a round trip through JSON", () => {
  fc.assert(
    fc.property(events, fc.infiniteStream(fc.constantFrom("go on", "look", "JSON", "from before")), (sent, what) => {
      const expected = all(sent);
      let state: TranscriptSnapshot | undefined;
      let group: TranscriptEvent[] = [];
      const store = createTranscript();
      for (const event of sent) {
        group.push(event);
        store.apply(event);
        const [next] = what.take(1);
        if (next === "go on") continue;
        const before: TranscriptSnapshot | undefined = state;
        state = reduceTranscript(before, group);
        // What was built on `before` doesn't matter.
        if (next === "from before") state = reduceTranscript(before, group);
        if (next === "JSON") state = readTranscript(JSON.parse(JSON.stringify(state)));
        store.snapshot;
        group = [];
      }
      expect(reduceTranscript(state, group)).toEqual(expected);
      expect(store.snapshot).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test("the cuts between chunks do not matter", () => {
  fc.assert(
    fc.property(events, fc.infiniteStream(fc.nat({ max: 4 })), (sent, cuts) => {
      const cut = sent.flatMap((event) => split(event, () => [...cuts.take(1)][0] ?? 0));
      expect(all(cut)).toEqual(all(sent));
    }),
    { numRuns: 500 },
  );
});

test("a snapshot never changes", () => {
  fc.assert(
    fc.property(events, (sent) => {
      const store = createTranscript();
      const seen = sent.map((event) => {
        store.apply(event);
        return [store.snapshot, JSON.stringify(store.snapshot)] as const;
      });
      for (const [snapshot, before] of seen) expect(JSON.stringify(snapshot)).toBe(before);
    }),
    { numRuns: 200 },
  );
});

/** Splits the text or the output into more pieces. */
function split(event: TranscriptEvent, at: () => number): TranscriptEvent[] {
  if (event.type === "terminal") {
    const { data = "" } = event;
    const cut = at();
    return [
      { ...event, data: data.slice(0, cut) },
      { ...event, data: data.slice(cut) },
    ];
  }
  if (event.type !== "update") return [event];
  const { content, _meta } = event.update as {
    content?: { type?: string; text?: string; annotations?: unknown };
    _meta?: object;
  };
  if (content?.type === "text" && content.annotations === undefined && event.update.sessionUpdate.endsWith("_chunk")) {
    const { text = "" } = content;
    const cut = at();
    return [text.slice(0, cut), text.slice(cut)].map((text) => {
      return { type: "update", update: { ...event.update, content: { type: "text", text } } } as TranscriptEvent;
    });
  }
  const { terminal_output: output } = (_meta ?? {}) as { terminal_output?: { data: string } };
  if (output === undefined) return [event];
  const cut = at();
  return [output.data.slice(0, cut), output.data.slice(cut)].map((data) => {
    const meta = { terminal_output: { ...output, data } };
    return { type: "update", update: { ...event.update, _meta: meta } } as TranscriptEvent;
  });
}
