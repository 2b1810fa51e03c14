import type { IncomingSessionUpdate } from "@acp-kit/types";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BackgroundWork } from "./background-work.js";
import { SessionReader } from "./session-reader.js";

/** Reads updates, and returns what an application gets. */
function read(...updates: readonly object[]): IncomingSessionUpdate[] {
  const reader = new SessionReader(new BackgroundWork());
  const received: IncomingSessionUpdate[] = [];
  for (const update of updates) reader.read(update as never, undefined, (each) => received.push(each));
  return received;
}

const text = (content: string): object => ({ type: "text", text: content });
const whole = (messageId: string, ...texts: string[]): object => ({
  sessionUpdate: "agent_message",
  messageId,
  content: texts.map(text),
});
const chunk = (messageId: string, content: string, sessionUpdate = "agent_message_chunk"): object => ({
  sessionUpdate,
  messageId,
  content: text(content),
});
const call = (more: object): object => ({ sessionUpdate: "tool_call_update", toolCallId: "t", ...more });

describe("V2-REQ-19: whole messages", () => {
  it("the first content of a message, and what a later one adds at its end, are chunks", () => {
    expect(read(whole("m", "He", "llo"), whole("m", "Hello"), whole("m", "Hello world"))).toEqual([
      chunk("m", "He"),
      chunk("m", "llo"),
      whole("m", "Hello"),
      chunk("m", " world"),
    ]);
  });

  it("another content, and a content after chunks, is the update itself", () => {
    const replaced = whole("m", "Bye");
    expect(read(whole("m", "Hello"), replaced)).toEqual([chunk("m", "Hello"), replaced]);
    const cleared = { sessionUpdate: "agent_message", messageId: "m", content: null };
    expect(read(chunk("m", "Hello"), whole("m", "Hello world"), cleared)).toEqual([
      chunk("m", "Hello"),
      whole("m", "Hello world"),
      cleared,
    ]);
  });

  it("the ids of messages and thoughts are independent", () => {
    const thought = { sessionUpdate: "agent_thought", messageId: "m", content: [text("Hm")] };
    expect(read(chunk("m", "Hello"), thought)).toEqual([chunk("m", "Hello"), chunk("m", "Hm", "agent_thought_chunk")]);
  });

  it("the text of the updates is that of the last whole message, for messages that only grow", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 20 }), (pieces) => {
        const updates = pieces.map((_, index) => whole("m", pieces.slice(0, index + 1).join("")));
        const received = read(...updates).flatMap((update) =>
          update.sessionUpdate === "agent_message_chunk"
            ? [(update as never as { content: { text: string } }).content.text]
            : [],
        );
        expect(received.join("")).toBe(pieces.join(""));
      }),
    );
  });
});

describe("V2-REQ-19: tool calls", () => {
  it("the first update announces the call", () => {
    expect(read(call({ kind: "read" }), call({ status: "completed" }))).toEqual([
      { sessionUpdate: "tool_call", toolCallId: "t", title: "", kind: "read" },
      call({ status: "completed" }),
    ]);
  });

  it("null clears a member: its first value, or its name in clears", () => {
    const cleared = { title: null, content: null, locations: null, kind: null, status: null, capabilities: null };
    const others = { name: null, rawInput: null, rawOutput: null, _meta: null };
    expect(read(call({ title: "Read" }), call({ ...cleared, ...others })).at(-1)).toEqual(
      call({
        ...{ title: "", content: [], locations: [], kind: "other", status: "pending", capabilities: {} },
        clears: ["name", "rawInput", "rawOutput", "_meta"],
      }),
    );
  });

  it("an item for an unknown call announces it", () => {
    const item = { type: "content", content: text("x") };
    const update = { sessionUpdate: "tool_call_content_chunk", toolCallId: "t", content: item };
    expect(read(update)).toEqual([{ sessionUpdate: "tool_call", toolCallId: "t", title: "" }, update]);
  });

  it("a diff is the old and the new text of its files, with the diff of version 2 in _meta", () => {
    const changes = [{ operation: "modify", path: "/a" }];
    const patch = { format: "git_patch", text: "diff --git /a /a\n--- /a\n+++ /a\n@@ -1 +1 @@\n-old\n+new\n" };
    expect(read(call({ content: [{ type: "diff", changes, patch }] }))).toMatchObject([
      {
        content: [
          {
            type: "diff",
            path: "/a",
            oldText: "old\n",
            newText: "new\n",
            _meta: { "acp-kit/diff": { changes, patch } },
          },
        ],
      },
    ]);
  });
});

it("an absent cost keeps the last cost, and null removes it", () => {
  const usage = { sessionUpdate: "usage_update", used: 1, size: 2 };
  const cost = { amount: 1, currency: "EUR" };
  expect(read({ ...usage, cost }, usage, { ...usage, cost: null }, usage)).toEqual([
    { ...usage, cost },
    { ...usage, cost },
    usage,
    usage,
  ]);
});

it("commands and options of unknown types are no obstacle", () => {
  const [commands, options] = read(
    {
      sessionUpdate: "available_commands_update",
      availableCommands: [
        { type: "command", name: "a", description: "A", input: { type: "text", hint: "h" } },
        { type: "_macro", name: "b", description: "B" },
      ],
    },
    { sessionUpdate: "config_option_update", configOptions: [{ type: "_slider", configId: "x", name: "X", at: 3 }] },
  );
  expect(commands).toMatchObject({ availableCommands: [{ name: "a", description: "A", input: { hint: "h" } }] });
  expect(options).toMatchObject({ configOptions: [{ type: "_slider", id: "x", name: "X", at: 3 }] });
});

it("updates are not changed, and unknown ones pass", () => {
  const unknown = Object.freeze({ sessionUpdate: "_vendor", value: 1 });
  const frozen = Object.freeze(call(Object.freeze({ title: null, content: Object.freeze([]) })));
  expect(read(unknown, frozen, frozen)[0]).toBe(unknown);
});

it("100,000 upserts of one message keep the memory of one message", () => {
  const reader = new SessionReader(new BackgroundWork());
  let received = 0;
  for (let index = 0; index < 100_000; index += 1)
    reader.read(whole("m", `${index}`) as never, undefined, () => {
      received += 1;
    });
  expect(received).toBe(100_000);
});
