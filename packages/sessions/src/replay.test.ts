import type { SessionUpdate } from "@acp-kit/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogEntry, StoredEntry } from "./log-entry.js";
import { replayOf } from "./replay.js";

const text = (text: string) => ({ type: "text", text }) as const;
const chunk = (words: string, messageId?: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: text(words),
  ...(messageId !== undefined && { messageId }),
});
const thought = (words: string): SessionUpdate => ({ sessionUpdate: "agent_thought_chunk", content: text(words) });
const prompt = (words: string): LogEntry => ({ type: "prompt", prompt: [text(words)] });
const end: LogEntry = { type: "end", stopReason: "end_turn" };
const stored = (entries: readonly (LogEntry | SessionUpdate)[]): StoredEntry[] =>
  entries.map((entry, index) => ({
    seq: index + 1,
    at: "2026-01-01T00:00:00.000Z",
    entry: "sessionUpdate" in entry ? { type: "update", update: entry } : entry,
  }));
const replayed = (...entries: readonly (LogEntry | SessionUpdate)[]) => replayOf(stored(entries));

describe("the replay of a log", () => {
  test("SESS-16 sends each block of a prompt as a user message, and each prompt has its own id", () => {
    const image = { type: "image", data: "", mimeType: "image/png" } as const;
    const updates = replayed({ type: "prompt", prompt: [text("look"), image] }, chunk("I see"), end, prompt("more"));
    expect(updates.map((update) => [update.sessionUpdate, (update as { messageId?: string }).messageId])).toEqual([
      ["user_message_chunk", "user_1"],
      ["user_message_chunk", "user_1"],
      ["agent_message_chunk", undefined],
      ["user_message_chunk", "user_4"],
    ]);
  });

  test("does not take a prompt that was merged into a turn for the end of this turn", () => {
    const merged: LogEntry = { type: "prompt", prompt: [text("and b")], merged: true };
    const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "Read", status: "completed" } as const;
    const running: SessionUpdate = { ...call, status: "in_progress" };
    expect(replayed(prompt("read a"), running, merged, { ...call, sessionUpdate: "tool_call_update" }, end)).toEqual([
      expect.objectContaining({ messageId: "user_1" }),
      call,
      expect.objectContaining({ messageId: "user_3", content: text("and b") }),
    ]);
    expect(replayed(prompt("read a"), running, merged, end)[1]).toEqual(running);
  });

  test("joins the chunks of one message, but never chunks of two messages", () => {
    expect(
      replayed(chunk("a"), chunk("b"), thought("c"), chunk("d"), chunk("e", "1"), chunk("f", "1"), chunk("g", "2")),
    ).toEqual([chunk("ab"), thought("c"), chunk("d"), chunk("ef", "1"), chunk("g", "2")]);
  });

  test("keeps every word, at whatever characters the text was cut into chunks", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.string({ minLength: 1 }))), (pieces) => {
        const updates = replayed(...pieces.map(([thinks, words]) => (thinks ? thought(words) : chunk(words))));
        const said = (kind: string) =>
          updates
            .filter(({ sessionUpdate }) => sessionUpdate === kind)
            .map((update) => (update as { content: { text: string } }).content.text)
            .join("");
        expect(said("agent_message_chunk")).toBe(pieces.flatMap(([thinks, words]) => (thinks ? [] : words)).join(""));
        expect(said("agent_thought_chunk")).toBe(pieces.flatMap(([thinks, words]) => (thinks ? words : [])).join(""));
      }),
    );
  });

  test("sends a tool call once, at the position where it began, in its final state", () => {
    const updates = replayed(
      prompt("go"),
      { sessionUpdate: "tool_call", toolCallId: "c", title: "Read", kind: "read", status: "pending" },
      chunk("reading"),
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "c",
        status: "in_progress",
        rawInput: { path: "/a" },
        title: null,
      },
      { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed", content: [] },
      end,
    );
    expect(updates.slice(1)).toEqual([
      {
        sessionUpdate: "tool_call",
        toolCallId: "c",
        title: "Read",
        kind: "read",
        status: "completed",
        rawInput: { path: "/a" },
        content: [],
      },
      chunk("reading"),
    ]);
  });

  test.each([
    ["ends in the middle of a turn", []],
    ["continues with another prompt after a crash", [prompt("again"), end]],
  ])("reports a call as failed that was open when the log %s", (_, more) => {
    const updates = replayed(prompt("go"), { sessionUpdate: "tool_call", toolCallId: "c", title: "Run" }, ...more);
    expect(updates[1]).toMatchObject({ toolCallId: "c", status: "failed" });
  });

  test.each(["cancelled", "error"] as const)(
    "reports a call as failed that was open when its turn ended with %s",
    (stopReason) => {
      const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "Run", status: "in_progress" } as const;
      const done = { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" } as const;
      const ended: LogEntry = { type: "end", stopReason };
      expect(replayed(prompt("go"), call, ended)[1]).toMatchObject({ toolCallId: "c", status: "failed" });
      expect(replayed(prompt("go"), call, done, ended)[1]).toMatchObject({ status: "completed" });
      expect(replayed(prompt("go"), call, ended, done)[1]).toMatchObject({ status: "completed" });
    },
  );

  test("leaves a call unfinished if its turn left it unfinished", () => {
    const updates = replayed(
      prompt("go"),
      { sessionUpdate: "tool_call", toolCallId: "c", title: "Run", status: "pending" },
      end,
    );
    expect(updates[1]).toMatchObject({ status: "pending" });
  });

  test("sends only the last plan and settings, at their positions", () => {
    const plan = (content: string): SessionUpdate => ({
      sessionUpdate: "plan",
      entries: [{ content, priority: "medium", status: "pending" }],
    });
    const mode = (currentModeId: string): SessionUpdate => ({ sessionUpdate: "current_mode_update", currentModeId });
    expect(replayed(plan("a"), mode("x"), chunk("1"), plan("b"), chunk("2"), mode("y"))).toEqual([
      chunk("1"),
      plan("b"),
      chunk("2"),
      mode("y"),
    ]);
  });

  test("INFO-02 keeps members that an info update omits", () => {
    const info = (fields: object) => ({ sessionUpdate: "session_info_update", ...fields }) as SessionUpdate;
    expect(replayed(info({ title: "T" }), info({ updatedAt: "2026-01-01T00:00:00Z" }))).toEqual([
      info({ title: "T", updatedAt: "2026-01-01T00:00:00Z" }),
    ]);
  });

  test("V2-REQ-26: has updates that neither version knows, unchanged", () => {
    const unknown = { sessionUpdate: "_vendor/progress", percent: 5, nested: { a: null } } as never;
    expect(replayed(chunk("a"), unknown, chunk("b"))).toEqual([chunk("a"), unknown, chunk("b")]);
  });

  test("SESS-20 has no notices", () => {
    expect(
      replayed({ sessionUpdate: "notice", message: "Slow today", severity: "info" } as unknown as SessionUpdate),
    ).toEqual([]);
  });

  test("keeps text with annotations and blocks apart", () => {
    const annotated: SessionUpdate = {
      sessionUpdate: "agent_message_chunk",
      content: { ...text("b"), annotations: { priority: 1 } },
    };
    expect(replayed(chunk("a"), annotated, chunk("c"))).toEqual([chunk("a"), annotated, chunk("c")]);
  });
});
