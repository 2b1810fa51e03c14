import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { isDeeperThan, messageLimitDefaults } from "@acp-kit/protocol/internal";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { sameCall } from "../permissions/remember-decisions.js";
import { MAX_SUMMARY_BLOCKS } from "./compaction.js";
import { MAX_META_MEMBERS } from "./entry-list.js";
import { readTranscript } from "./read-transcript.js";
import { reduceTranscript } from "./reduce-transcript.js";
import { MAX_CALL_TERMINALS } from "./tool-call.js";
import { createTranscript } from "./transcript.js";
import type { TranscriptEvent } from "./transcript-event.js";
import { emptyTranscript, type TranscriptSnapshot } from "./transcript-snapshot.js";

const MAX_DEPTH = messageLimitDefaults.maxMessageDepth;

function nested(depth: number): Record<string, unknown> {
  let value: unknown = "end";
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return { value };
}

const deep = nested(100_000);
const updateEvent = (update: unknown): TranscriptEvent => ({ type: "update", update: update as IncomingSessionUpdate });
const sent = (events: readonly TranscriptEvent[]): TranscriptSnapshot => reduceTranscript(undefined, events);
const text = { type: "text", text: "x" };
const options = [{ optionId: "y", name: "Yes", kind: "allow_once" as const, _meta: deep }];

/** Events with a value of any shape in each place that an agent can fill. */
const places: [string, TranscriptEvent[]][] = [
  ["an unknown update", [updateEvent({ sessionUpdate: "_odd", deep })]],
  ["raw input", [updateEvent({ sessionUpdate: "tool_call", toolCallId: "t", title: "", rawInput: deep })]],
  ["raw output", [updateEvent({ sessionUpdate: "tool_call_update", toolCallId: "t", rawOutput: deep })]],
  [
    "a tool call's content",
    [updateEvent({ sessionUpdate: "tool_call", toolCallId: "t", content: [{ type: "_odd", deep }] })],
  ],
  ["a tool call's _meta", [updateEvent({ sessionUpdate: "tool_call", toolCallId: "t", _meta: deep })]],
  ["a chunk's _meta", [updateEvent({ sessionUpdate: "agent_message_chunk", content: text, _meta: deep })]],
  ["a chunk's block", [updateEvent({ sessionUpdate: "agent_thought_chunk", content: { ...text, annotations: deep } })]],
  ["a user's chunk", [updateEvent({ sessionUpdate: "user_message_chunk", content: { type: "_odd", deep } })]],
  [
    "a plan",
    [updateEvent({ sessionUpdate: "plan", entries: [{ content: "a", priority: "low", status: "pending", deep }] })],
  ],
  ["a notice", [updateEvent({ sessionUpdate: "notice", severity: "info", title: "N", _meta: deep })]],
  [
    "a compaction",
    [
      updateEvent({
        sessionUpdate: "compaction_update",
        compactionId: "c",
        status: "completed",
        summary: [{ type: "_odd", deep }],
      }),
    ],
  ],
  [
    "a piece of a compaction",
    [updateEvent({ sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: { type: "_odd", deep } })],
  ],
  [
    "commands",
    [
      updateEvent({
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "a", description: "", deep }],
      }),
    ],
  ],
  ["config options", [updateEvent({ sessionUpdate: "config_option_update", configOptions: [{ id: "a", deep }] })]],
  [
    "usage",
    [updateEvent({ sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 1, currency: "USD", deep } })],
  ],
  [
    "an opened session",
    [{ type: "session_opened", modes: { currentModeId: "a", availableModes: [{ id: "a", name: "a", ...deep }] } }],
  ],
  ["a prompt", [{ type: "prompt_sent", prompt: [{ type: "_odd", deep } as never] }]],
  [
    "a response",
    [
      { type: "prompt_sent", prompt: [] },
      { type: "turn_ended", stopReason: "end_turn", response: deep },
    ],
  ],
  [
    "a permission request",
    [{ type: "permission_requested", requestId: "1", toolCall: { toolCallId: "t", rawInput: deep }, options }],
  ],
  ["what is held during a replay", [updateEvent({ sessionUpdate: "_odd", deep }), { type: "replay_began" }]],
];

describe("values that are nested 100,000 deep", () => {
  test.each(places)("hostile.deep-values: %s is kept in its upper levels, and the snapshot is JSON", (_, events) => {
    const snapshot = sent(events);
    expect(isDeeperThan(snapshot, MAX_DEPTH + 8)).toBe(false);
    const stored = JSON.parse(JSON.stringify(snapshot));
    expect(readTranscript(stored)).toBe(stored); // nothing more is cut
    const transcript = createTranscript();
    for (const event of events) transcript.apply(event);
    expect(JSON.stringify(transcript)).toBe(JSON.stringify(snapshot));
  });

  test("hostile.deep-values: only the upper levels of a stored transcript are read", () => {
    const entry = { type: "unknown", key: "0", update: { sessionUpdate: "_odd", deep } };
    const stored = { ...emptyTranscript, entries: [entry], kept: "as it is" };
    const read = readTranscript(stored);
    expect(JSON.parse(JSON.stringify(read))).toMatchObject({ kept: "as it is", entries: [{ key: "0" }] });
    expect(createTranscript({ from: stored }).snapshot.entries).toHaveLength(1);
  });

  test("hostile.deep-values: a call whose input is nested too deep is not remembered", () => {
    const request = (rawInput: unknown) => ({
      sessionId: "s",
      toolCall: { toolCallId: "t", title: "Run", rawInput },
      options: [],
    });
    expect(sameCall(request(deep), { session: undefined })).toBeUndefined();
    expect(sameCall(request(nested(MAX_DEPTH - 2)), { session: undefined })).toBeDefined();
  });
});

describe("many of everything", () => {
  const many = 2 * MAX_SUMMARY_BLOCKS;
  /**
   * Applies the events for many numbers, and checks that the time for them grows linearly from a number above the limit
   * for the parts of an entry: below it, a part costs as much as the parts before it.
   */
  async function sentFor(
    eventsOf: (numbers: readonly number[]) => TranscriptEvent[],
    from = 2 * MAX_META_MEMBERS,
  ): Promise<TranscriptSnapshot> {
    const send = (size: number) => sent(eventsOf(Array.from({ length: size }, (_, n) => n)));
    expect(await growthOf(send, { from })).toBeLessThan(LINEAR);
    return send(many);
  }

  test("hostile.many-parts: terminals of a call", async () => {
    const content = (n: number) => ({ type: "terminal", terminalId: `${n}` });
    const call = { sessionUpdate: "tool_call", toolCallId: "t", title: "" };
    const [entry] = (await sentFor((numbers) => [updateEvent({ ...call, content: numbers.map(content) })])).entries;
    expect(entry).toMatchObject({ content: { length: many }, terminalIds: { length: MAX_CALL_TERMINALS } });
  });

  test("hostile.many-parts: pieces of a compaction", async () => {
    const content = { type: "image", data: "", mimeType: "image/png" };
    const piece = updateEvent({ sessionUpdate: "compaction_summary_chunk", compactionId: "c", content });
    const { entries } = await sentFor((numbers) => numbers.map(() => piece), 2 * MAX_SUMMARY_BLOCKS);
    expect(entries).toMatchObject([{ summary: { length: MAX_SUMMARY_BLOCKS } }]);
  });

  test.each([
    ["a tool call", { sessionUpdate: "tool_call_update", toolCallId: "t" }],
    ["a message", { sessionUpdate: "agent_message_chunk", messageId: "m", content: text }],
  ])("hostile.many-parts: members of the _meta of %s", async (_, update) => {
    const member = (n: number) => updateEvent({ ...update, _meta: { [`member-${n}`]: n, last: n } });
    const { entries } = await sentFor((numbers) => numbers.map(member));
    const [entry] = entries as readonly { meta?: Record<string, unknown> }[];
    expect(entry?.meta).toMatchObject({ "member-0": 0, last: many - 1 });
    expect(Object.keys(entry?.meta ?? {})).toHaveLength(MAX_META_MEMBERS);
  });

  test("hostile.many-parts: turns of a history", async () => {
    const message = (n: number) =>
      updateEvent({ sessionUpdate: "user_message_chunk", content: text, messageId: `${n}` });
    const { turns } = await sentFor((numbers) => [{ type: "replay_began" }, ...numbers.map(message)]);
    expect(turns).toHaveLength(many);
  });

  test("hostile.many-parts: pieces of an echo", async () => {
    const letter = (n: number) => String.fromCharCode(97 + (n % 26));
    const piece = (n: number) =>
      updateEvent({ sessionUpdate: "user_message_chunk", content: { type: "text", text: letter(n) } });
    const promptOf = (numbers: readonly number[]) => numbers.map(letter).join("");
    const { entries, turns } = await sentFor((numbers) => [
      { type: "prompt_sent", prompt: [{ type: "text", text: promptOf(numbers) }] },
      ...numbers.map(piece),
    ]);
    expect(entries).toHaveLength(1);
    expect(turns).toMatchObject([{ echo: { text: expect.stringMatching(/^abc/) } }]);
  });

  test("hostile.many-parts: calls, messages and terminals, alternating", async () => {
    const { entries } = await sentFor((numbers) =>
      numbers.flatMap((n) => [
        updateEvent({ sessionUpdate: "tool_call", toolCallId: `${n}`, title: "" }),
        updateEvent({ sessionUpdate: "agent_message_chunk", content: text, messageId: `${n}` }),
        updateEvent({
          sessionUpdate: "tool_call_update",
          toolCallId: `${numbers.length - n}`,
          _meta: { terminal_output: { data: "x" } },
        }),
      ]),
    );
    expect(entries.length).toBeGreaterThan(2 * many);
  });
});
