import type { IncomingSessionUpdate } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { reduceTranscript } from "./reduce-transcript.js";
import type { MessageEntry, ToolCallEntry, TranscriptEntry } from "./transcript-entry.js";
import type { TranscriptEvent } from "./transcript-event.js";
import { emptyTranscript, type TranscriptSnapshot } from "./transcript-snapshot.js";

const reduce = (...events: (TranscriptEvent | IncomingSessionUpdate)[]): TranscriptSnapshot =>
  reduceTranscript(undefined, events.map(asEvent));

const asEvent = (delivered: TranscriptEvent | IncomingSessionUpdate): TranscriptEvent =>
  "type" in delivered && delivered.type !== undefined
    ? (delivered as TranscriptEvent)
    : { type: "update", update: delivered as IncomingSessionUpdate };

const text = (text: string) => ({ type: "text" as const, text });
const said = (words: string, messageId?: string): IncomingSessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: text(words),
  ...(messageId !== undefined && { messageId }),
});
const thought = (words: string): IncomingSessionUpdate => ({
  sessionUpdate: "agent_thought_chunk",
  content: text(words),
});
const user = (words: string, messageId?: string): IncomingSessionUpdate => ({
  sessionUpdate: "user_message_chunk",
  content: text(words),
  ...(messageId !== undefined && { messageId }),
});
const call = (toolCallId: string, more: object = {}): IncomingSessionUpdate =>
  ({ sessionUpdate: "tool_call", toolCallId, title: "Run", ...more }) as IncomingSessionUpdate;
const update = (toolCallId: string, more: object = {}): IncomingSessionUpdate =>
  ({ sessionUpdate: "tool_call_update", toolCallId, ...more }) as IncomingSessionUpdate;
const prompt = (words: string): TranscriptEvent => ({ type: "prompt_sent", prompt: [text(words)] });
const ended: TranscriptEvent = { type: "turn_ended", stopReason: "end_turn" };

/** A short form of the transcript, to compare. */
const lines = ({ entries }: TranscriptSnapshot): string[] =>
  entries.map((entry: TranscriptEntry) => {
    if ("text" in entry) return `${entry.type}: ${entry.text}`;
    if (entry.type === "tool_call") return `tool_call: ${entry.toolCallId} ${entry.status}`;
    return entry.type === "plan" ? `plan: ${entry.entries.map(({ content }) => content).join(", ")}` : entry.type;
  });
const toolCall = (state: TranscriptSnapshot, index = 0): ToolCallEntry => state.entries[index] as ToolCallEntry;
const message = (state: TranscriptSnapshot, index = 0): MessageEntry => state.entries[index] as MessageEntry;

describe("messages", () => {
  test("MSG-02 chunks with one id are one message, another id begins another", () => {
    const state = reduce(said("A", "1"), said("B", "1"), said("C", "2"));
    expect(lines(state)).toEqual(["agent_message: AB", "agent_message: C"]);
    expect(message(state)).toMatchObject({ messageId: "1", content: [text("AB")] });
  });

  test("MSG-02 a chunk continues its message, even after other entries", () => {
    expect(lines(reduce(said("A", "1"), call("t"), said("B", "1")))).toEqual([
      "agent_message: AB",
      "tool_call: t pending",
    ]);
  });

  test("MSG-03/07 without ids, other authors and tool calls separate messages", () => {
    const state = reduce(thought("h"), thought("m"), said("A"), said("B"), call("t"), said("C"), thought("d"));
    expect(lines(state)).toEqual([
      "thought: hm",
      "agent_message: AB",
      "tool_call: t pending",
      "agent_message: C",
      "thought: d",
    ]);
    expect(lines(reduce({ ...said("A"), messageId: null } as IncomingSessionUpdate, said("B")))).toEqual([
      "agent_message: AB",
    ]);
  });

  test("MSG-07 updates that are not entries do not separate chunks", () => {
    const usage: IncomingSessionUpdate = { sessionUpdate: "usage_update", used: 1, size: 2 };
    expect(lines(reduce(call("t"), said("A"), usage, update("t", { status: "completed" }), said("B")))).toEqual([
      "tool_call: t completed",
      "agent_message: AB",
    ]);
  });

  test("a thought and a message with one id are two", () => {
    const state = reduce({ ...thought("hm"), messageId: "1" } as IncomingSessionUpdate, said("A", "1"));
    expect(lines(state)).toEqual(["thought: hm", "agent_message: A"]);
  });

  test("blocks that are not plain text stay separate, in their order", () => {
    const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
    const noted = { type: "text" as const, text: "!", annotations: { priority: 1 } };
    const blocks = [text("a"), text("b"), image, text("c"), noted, text("d"), text("e")];
    const state = reduce(...blocks.map((content) => ({ sessionUpdate: "agent_message_chunk" as const, content })));
    expect(message(state)).toMatchObject({
      content: [text("ab"), image, text("c"), noted, text("de")],
      text: "abc!de",
    });
  });

  test("empty chunks add no message; their _meta is added to an existing one", () => {
    expect(reduce(said(""), said("", "1")).entries).toEqual([]);
    const state = reduce(
      said("A", "1"),
      { ...said("", "1"), _meta: { a: 1 } } as IncomingSessionUpdate,
      {
        ...said("", "1"),
        _meta: { b: 2 },
      } as IncomingSessionUpdate,
    );
    expect(message(state)).toMatchObject({ text: "A", meta: { a: 1, b: 2 } });
  });
});

describe("user messages", () => {
  test("a prompt is a message and begins a turn", () => {
    const state = reduce(prompt("Hi"), said("Hello"), ended);
    expect(lines(state)).toEqual(["user_message: Hi", "agent_message: Hello"]);
    expect(state.turns).toEqual([{ state: "ended", firstEntry: 0, stopReason: "end_turn" }]);
    expect(state.entries.map(({ turn }) => turn)).toEqual([0, 0]);
  });

  test("an echo of the prompt is not a second message, in any number of chunks", () => {
    expect(lines(reduce(prompt("Hi there"), user("Hi there"), said("Hello")))).toHaveLength(2);
    expect(lines(reduce(prompt("Hi there"), user("Hi", "u"), user(" there", "u"), said("Hello")))).toHaveLength(2);
  });

  test("a message that only begins like the prompt is a message of its own, whole", () => {
    const state = reduce(prompt("Hi there"), user("Hi"), user(" you"), user("!"));
    expect(lines(state)).toEqual(["user_message: Hi there", "user_message: Hi you!"]);
    expect(lines(reduce(prompt("Hi"), user("Hi", "1"), user("Hi", "2")))).toEqual([
      "user_message: Hi",
      "user_message: Hi",
    ]);
  });

  test.each([said, thought])(
    "order.late-updates-are-no-turns: text after the end of the turn is a message of its own",
    (say) => {
      const events = [prompt("Go"), say("The tests pass."), ended, say("Build "), say("failed")];
      const state = reduce(...events);
      expect(state.entries.slice(1)).toMatchObject([{ text: "The tests pass.", turn: 0 }, { text: "Build failed" }]);
      expect(state.entries[2]?.turn).toBeUndefined();
      const inSteps = events.reduce<TranscriptSnapshot>(
        (before, event) => reduceTranscript(before, [asEvent(event)]),
        reduce(),
      );
      expect(inSteps).toEqual(state);
    },
  );

  test("a later user chunk in the turn is a message: a prompt that was queued or steered", () => {
    expect(lines(reduce(prompt("Hi"), said("Hello"), user("Hi")))).toEqual([
      "user_message: Hi",
      "agent_message: Hello",
      "user_message: Hi",
    ]);
  });

  test("a prompt that is sent again, because the first had no response, is the same turn", () => {
    const state = reduce(prompt("Hi"), { type: "turn_ended" }, prompt("Hi"), said("Hello"), ended);
    expect(lines(state)).toEqual(["user_message: Hi", "agent_message: Hello"]);
    expect(state.turns).toHaveLength(1);
    expect(reduce(prompt("Hi"), ended, prompt("Hi"), ended).turns).toHaveLength(2);
  });
});

describe("tool calls", () => {
  test("TOOL-03/04 kind and status have defaults", () => {
    expect(toolCall(reduce(call("t")))).toEqual({
      key: "0",
      type: "tool_call",
      toolCallId: "t",
      title: "Run",
      kind: "other",
      status: "pending",
      content: [],
      locations: [],
      terminalIds: [],
    });
  });

  test("TOOL-05/06/07 absent and null keep, present replaces, lists as a whole", () => {
    const before = {
      kind: "execute",
      name: "Bash",
      content: [{ type: "content", content: text("a") }],
      locations: [{ path: "/a" }],
      rawInput: { a: 1 },
      _meta: { x: 1, y: 1 },
    };
    const changes = {
      title: null,
      status: "in_progress",
      content: [],
      rawInput: null,
      rawOutput: "o",
      _meta: { y: 2 },
    };
    expect(toolCall(reduce(call("t", before), update("t", changes)))).toMatchObject({
      title: "Run",
      name: "Bash",
      kind: "execute",
      status: "in_progress",
      content: [],
      locations: [{ path: "/a" }],
      rawInput: { a: 1 },
      rawOutput: "o",
      meta: { x: 1, y: 2 },
    });
  });

  test("TOOL-18 an update before its call, and a call sent twice, are one call", () => {
    const early = reduce(update("t", { status: "completed", content: [{ type: "content", content: text("a") }] }));
    expect(toolCall(early)).toMatchObject({ title: "", status: "completed" });
    const state = reduceTranscript(early, { type: "update", update: call("t", { title: "Run", kind: "read" }) });
    expect(state.entries).toHaveLength(1);
    expect(toolCall(state)).toMatchObject({ title: "Run", kind: "read", status: "completed", content: [{}] });
    expect(toolCall(reduce(call("t", { kind: "edit" }), call("t", { title: "Other" })))).toMatchObject({
      title: "Other",
      kind: "edit",
    });
  });

  test("PERM-09 a permission request adds a call that was not sent before", () => {
    const options = [
      { optionId: "a", name: "Yes", kind: "allow_once" as const },
      { optionId: "b", name: "No", kind: "reject_once" as const },
    ];
    const requested: TranscriptEvent = {
      type: "permission_requested",
      requestId: "7",
      toolCall: { toolCallId: "t", title: "rm -rf", kind: "execute" },
      options,
    };
    expect(toolCall(reduce(requested))).toMatchObject({
      title: "rm -rf",
      permission: { requestId: "7", state: "open", options },
    });
    const outcome = { outcome: "selected" as const, optionId: "b" };
    const answered = { type: "permission_decided" as const, requestId: "7", toolCallId: "t", outcome };
    expect(toolCall(reduce(requested, answered)).permission).toEqual({
      requestId: "7",
      state: "decided",
      options,
      outcome,
      chosen: options[1],
    });
    const again: TranscriptEvent = { ...requested, requestId: "8" };
    expect(toolCall(reduce(requested, again, answered)).permission).toMatchObject({ requestId: "8", state: "open" });
    const cancelled = { ...answered, outcome: { outcome: "cancelled" as const } };
    expect(toolCall(reduce(requested, cancelled)).permission).toMatchObject({ outcome: { outcome: "cancelled" } });
  });

  test("calls left open when the turn ends are marked, until their next update", () => {
    const left = reduce(
      prompt("Go"),
      call("a"),
      call("b", { status: "in_progress" }),
      call("c", { status: "failed" }),
      ended,
    );
    expect(left.entries.slice(1).map((entry) => (entry as ToolCallEntry).unfinished)).toEqual([true, true, undefined]);
    expect(toolCall(left, 1).status).toBe("pending");
    const late = reduceTranscript(left, [
      { type: "update", update: update("a", { _meta: { x: 1 } }) },
      { type: "update", update: update("b", { status: "completed" }) },
    ]);
    expect(toolCall(late, 1).unfinished).toBe(true);
    expect(toolCall(late, 2).unfinished).toBeUndefined();
  });

  test("CANCEL-03 tool calls that are open when the turn is cancelled are marked at once; a status removes the mark", () => {
    const calls = [prompt("Go"), call("a", { status: "in_progress" }), call("b", { status: "completed" })];
    const cancelled: TranscriptEvent = { type: "turn_cancelled" };
    const state = reduce(...calls, cancelled);
    expect(state.activity).toBe("running");
    expect([toolCall(state, 1).unfinished, toolCall(state, 2).unfinished]).toEqual([true, undefined]);
    const late = reduce(...calls, cancelled, update("a", { status: "completed" }), call("c"), ended);
    expect([toolCall(late, 1).unfinished, toolCall(late, 3).unfinished]).toEqual([undefined, true]);
    expect(toolCall(reduce(...calls, ended, call("d"), cancelled), 3).unfinished).toBeUndefined();
  });

  test("TERM-18 output that an agent sends only in pieces, in terminal_output_delta, is joined", () => {
    const output = (data: string) => update("t", { _meta: { terminal_output_delta: { terminal_id: "t", data } } });
    const state = reduce(
      call("t", { content: [{ type: "terminal", terminalId: "t" }] }),
      output("compiling \ud83d"),
      output("\ude80\n"),
      update("t", { _meta: { terminal_exit: { terminal_id: "t", exit_code: 0, signal: null } } }),
    );
    expect(state.terminals.t).toMatchObject({ output: "compiling \u{1f680}\n", exit: { exitCode: 0 } });
    expect(toolCall(state).meta).toBeUndefined();
    expect(toolCall(reduce(output("read\n"))).terminalIds).toEqual(["t"]); // also for calls that show no terminal
  });

  test("TERM-18 terminals that the agent shows have their output, which arrives in _meta", () => {
    const shown = call("t", {
      content: [{ type: "terminal", terminalId: "x" }],
      _meta: { terminal_info: { terminal_id: "x", cwd: "/work" }, vendor: 1 },
    });
    const output = (data: string) => update("t", { _meta: { terminal_output: { terminal_id: "x", data } } });
    const exit = update("t", { _meta: { terminal_exit: { terminal_id: "x", exit_code: 1, signal: null } } });
    const state = reduce(shown, output("a\n"), output("b\n"), exit);
    expect(toolCall(state)).toMatchObject({ terminalIds: ["x"], meta: { vendor: 1 } });
    expect(toolCall(state).meta).not.toHaveProperty("terminal_info");
    expect(state.terminals).toEqual({
      x: { terminalId: "x", owner: "agent", cwd: "/work", output: "a\nb\n", exit: { exitCode: 1 } },
    });
    expect(toolCall(reduce(update("t", { _meta: { terminal_output: { data: "a" } } }))).terminalIds).toEqual(["t"]);
  });

  test("TERM-18 the client's own terminals keep their last output", () => {
    const state = reduce(
      { type: "terminal", terminalId: "x", command: "npm test", cwd: "/work" },
      { type: "terminal", terminalId: "x", output: "a" },
      { type: "terminal", terminalId: "x", data: "b" },
      { type: "terminal", terminalId: "x", exit: { exitCode: null, signal: "SIGKILL" } },
      { type: "terminal", terminalId: "x", released: true },
    );
    expect(state.terminals.x).toEqual({
      terminalId: "x",
      owner: "client",
      command: "npm test",
      cwd: "/work",
      output: "ab",
      exit: { signal: "SIGKILL" },
      released: true,
    });
  });

  test("a terminal's output is bounded: its end is kept, beginning with a whole character", () => {
    const data = "😀".repeat(400_001); // two code units each
    const pieces = [data.slice(0, 300_001), data.slice(300_001)]; // cut through a character
    const state = reduce(...pieces.map((data) => ({ type: "terminal" as const, terminalId: "x", data })), {
      type: "terminal",
      terminalId: "x",
      data: "a".repeat(700_001),
    });
    const { output = "", truncated } = state.terminals.x ?? {};
    expect(truncated).toBe(true);
    expect(output.length).toBe(999_999);
    expect(output.startsWith("😀")).toBe(true);
  });

  test("a terminal with the name of an inherited member is one like any other", () => {
    const state = reduce(
      { type: "terminal", terminalId: "__proto__", data: "a" },
      {
        type: "terminal",
        terminalId: "__proto__",
        data: "b",
      },
    );
    expect(Object.values(state.terminals)).toEqual([{ terminalId: "__proto__", owner: "client", output: "ab" }]);
    expect(JSON.parse(JSON.stringify(state)).terminals).toEqual(state.terminals);
  });
});

describe("plans, notices, compaction", () => {
  const entry = (content: string) => ({ content, priority: "low" as const, status: "pending" as const });
  const plan = (...contents: string[]): IncomingSessionUpdate => ({
    sessionUpdate: "plan",
    entries: contents.map(entry),
  });

  test("PLAN-05 a plan replaces the one before", () => {
    const state = reduce(prompt("Go"), plan("a", "b", "c"), said("Working"), plan("d"));
    expect(lines(state)).toEqual(["user_message: Go", "plan: d", "agent_message: Working"]);
    expect(state.plan).toEqual([entry("d")]);
    expect(reduce(plan("a"), plan()).plan).toEqual([]);
  });

  test("a plan after a new user message is a new entry", () => {
    const state = reduce(prompt("Go"), plan("a"), ended, prompt("Next"), plan("b"), plan("c"));
    expect(lines(state)).toEqual(["user_message: Go", "plan: a", "user_message: Next", "plan: c"]);
    expect(state.plan).toEqual([entry("c")]);
  });

  test("NOTICE-03/04/07 every notice is an event of its own, and changes nothing else", () => {
    const notice: IncomingSessionUpdate = {
      sessionUpdate: "notice",
      severity: "_odd",
      title: "Careful",
      description: null,
    };
    const state = reduce(prompt("Go"), notice, notice);
    expect(state.entries.slice(1)).toEqual([
      { key: "1", turn: 0, type: "notice", severity: "_odd", title: "Careful" },
      { key: "2", turn: 0, type: "notice", severity: "_odd", title: "Careful" },
    ]);
    expect(state.activity).toBe("running");
  });

  test("COMPACT-05/07/09/11 a compaction stays at its first place; null clears, absent keeps, chunks append", () => {
    const delivered = (more: object): IncomingSessionUpdate =>
      ({ sessionUpdate: "compaction_update", compactionId: "c", ...more }) as IncomingSessionUpdate;
    const chunk = (words: string): IncomingSessionUpdate => ({
      sessionUpdate: "compaction_summary_chunk",
      compactionId: "c",
      content: text(words),
    });
    const open = [delivered({ status: "in_progress", _meta: { a: 1 } }), said("A"), chunk("x"), chunk("y")];
    expect(reduce(...open).entries[0]).toMatchObject({ status: "in_progress", summary: [text("xy")] });
    expect(reduce(...open, delivered({ status: "completed" })).entries[0]).toMatchObject({
      status: "completed",
      summary: [text("xy")],
      meta: { a: 1 },
    });
    expect(reduce(...open, delivered({ status: "completed", summary: [text("z")] })).entries[0]).toMatchObject({
      summary: [text("z")],
    });
    const failed = reduce(
      ...open,
      delivered({ status: "failed", summary: null, error: "full", _meta: null }),
      delivered({ status: "_odd", error: null }),
    );
    expect(failed.entries[0]).toEqual({ key: "0", type: "compaction", compactionId: "c", status: "_odd", summary: [] });
    expect(reduce(chunk("x")).entries[0]).toMatchObject({ status: "in_progress", summary: [text("x")] });
  });

  test("UPD-03 an update of an unknown kind is kept unchanged, in its place", () => {
    const odd = { sessionUpdate: "_vendor_thing", any: [1] } as unknown as IncomingSessionUpdate;
    const state = reduce(said("A"), odd, said("B"));
    expect(lines(state)).toEqual(["agent_message: A", "unknown", "agent_message: B"]);
    expect(state.entries[1]).toMatchObject({ type: "unknown", update: odd });
  });
});

describe("the session", () => {
  test("MODE-06, CFG-17, CMD-03 lists are replaced as a whole", () => {
    const commands = [{ name: "a", description: "" }];
    const option = { type: "boolean" as const, id: "o", name: "O", currentValue: true };
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
    const state = reduce(
      { type: "session_opened", sessionId: "s", modes, configOptions: [] },
      { sessionUpdate: "available_commands_update", availableCommands: [{ name: "z", description: "" }] },
      { sessionUpdate: "available_commands_update", availableCommands: commands },
      { sessionUpdate: "current_mode_update", currentModeId: "code" },
      { sessionUpdate: "config_option_update", configOptions: [option] },
    );
    expect(state).toMatchObject({ sessionId: "s", commands, configOptions: [option], entries: [] });
    expect(state.modes).toEqual({ ...modes, currentModeId: "code" });
  });

  test("INFO-02 a title is kept, replaced or cleared", () => {
    const info = (more: object): IncomingSessionUpdate => ({ sessionUpdate: "session_info_update", ...more });
    const named = [
      info({ title: "A", updatedAt: "2026-01-01T00:00:00Z" }),
      info({ updatedAt: "2026-01-02T00:00:00Z" }),
    ];
    expect(reduce(...named)).toMatchObject({ title: "A", updatedAt: "2026-01-02T00:00:00Z" });
    expect(reduce(...named, info({ title: null }))).not.toHaveProperty("title");
  });

  test("USAGE-04/06 context, tokens of a turn, tokens of all turns and cost are separate", () => {
    const usage = (used: number, cost?: number): IncomingSessionUpdate => ({
      sessionUpdate: "usage_update",
      used,
      size: 100,
      ...(cost !== undefined && { cost: { amount: cost, currency: "USD" } }),
    });
    const answer = (input: number, output: number): TranscriptEvent => ({
      type: "turn_ended",
      stopReason: "end_turn",
      response: { usage: { inputTokens: input, outputTokens: output, totalTokens: input + output } },
    });
    const state = reduce(prompt("a"), usage(10, 0.5), answer(10, 1), prompt("b"), usage(60), usage(20), answer(50, 2));
    expect(state.usage).toEqual({
      context: { used: 20, size: 100 },
      cost: { amount: 0.5, currency: "USD" },
      lastTurn: { inputTokens: 50, outputTokens: 2, totalTokens: 52 },
      total: { inputTokens: 60, outputTokens: 3, totalTokens: 63 },
    });
    expect(state.turns[0]?.usage?.totalTokens).toBe(11);
  });

  test("tokens are found in _meta too, and null is none", () => {
    const quota = { token_count: { input_tokens: 3, output_tokens: 4 } };
    const state = reduce(prompt("a"), {
      type: "turn_ended",
      stopReason: "end_turn",
      response: { usage: null, _meta: { quota } },
    });
    expect(state.usage.lastTurn).toEqual({ inputTokens: 3, outputTokens: 4, totalTokens: 7 });
  });

  test("activity follows turns, not updates outside turns", () => {
    const running = reduce(prompt("Go"), said("A"));
    expect(running.activity).toBe("running");
    const late = reduceTranscript(running, [
      { type: "turn_ended" },
      { type: "update", update: said("B") },
      { type: "update", update: { sessionUpdate: "usage_update", used: 1, size: 2 } },
      { type: "update", update: call("t", { status: "in_progress" }) },
      { type: "turn_ended", stopReason: "end_turn" },
    ]);
    expect(late.activity).toBe("idle");
    expect(late.turns).toEqual([{ state: "ended", firstEntry: 0, stopReason: "end_turn" }]);
    expect(late.entries.map(({ turn }) => turn)).toEqual([0, 0, undefined, undefined]);
  });

  test("a failed turn has its error", () => {
    const error = { message: "Overloaded", code: -32603 };
    expect(reduce(prompt("Go"), { type: "turn_ended", error }).turns[0]).toMatchObject({ state: "ended", error });
  });
});

describe("replay", () => {
  const began: TranscriptEvent = { type: "replay_began" };

  test("SESS-20 history is marked, and replaces the previous entries", () => {
    const state = reduce(
      prompt("Hi"),
      said("Hello", "m"),
      ended,
      began,
      user("Hi", "u"),
      said("Hel", "m"),
      said("lo", "m"),
      call("t"),
      { type: "replay_ended" },
      said("More"),
    );
    expect(lines(state)).toEqual([
      "user_message: Hi",
      "agent_message: Hello",
      "tool_call: t pending",
      "agent_message: More",
    ]);
    expect(state.entries.map(({ replayed }) => replayed)).toEqual([true, true, true, undefined]);
    expect(toolCall(state, 2).unfinished).toBe(true);
    expect(state).not.toHaveProperty("held");
    expect(state).not.toHaveProperty("replaying");
  });

  test("turns of the history begin with user messages", () => {
    const state = reduce(began, user("a"), said("A"), user("b"), user("b"), said("B"), { type: "replay_ended" });
    expect(state.turns).toEqual([
      { state: "replayed", firstEntry: 0 },
      { state: "replayed", firstEntry: 2 },
    ]);
    expect(state.entries.map(({ turn }) => turn)).toEqual([0, 0, 1, 1]);
  });

  test("a load that fails restores the previous entries", () => {
    const before = reduce(prompt("Hi"), said("Hello"), ended);
    const during = reduceTranscript(before, [began, { type: "update", update: user("x") }]);
    expect(during).toMatchObject({ replaying: true, entries: [{ text: "x" }] });
    const after = reduceTranscript(during, { type: "replay_ended", failed: true });
    expect(after).toEqual(before);
    expect(after.entries).toBe(before.entries);
  });

  test("a turn that ends during or after a load is not running any more", () => {
    const done: TranscriptEvent[] = [{ type: "turn_ended" }, { type: "turn_ended", stopReason: "end_turn" }];
    const loaded: TranscriptEvent = { type: "replay_ended" };
    const failed: TranscriptEvent = { type: "replay_ended", failed: true };
    const running = [prompt("Hi"), call("t")];
    for (const events of [
      [...running, began, user("Hi", "u"), ...done, loaded],
      [...running, began, user("Hi", "u"), loaded, said("More"), ...done],
    ]) {
      expect(reduce(...events)).toMatchObject({ activity: "idle", turns: [{ state: "replayed" }] });
    }
    for (const events of [
      [...running, began, user("Hi", "u"), ...done, failed],
      [...running, began, ...done.slice(0, 1), failed, ...done.slice(1)],
    ]) {
      const state = reduce(...events);
      expect(state).toMatchObject({ activity: "idle", turns: [{ state: "ended", stopReason: "end_turn" }] });
      expect(toolCall(state, 1).unfinished).toBe(true);
    }
  });

  test("a chunk after the history is a message of its own", () => {
    expect(lines(reduce(began, said("A"), { type: "replay_ended" }, said("B")))).toEqual([
      "agent_message: A",
      "agent_message: B",
    ]);
  });
});

describe("snapshots", () => {
  test("an earlier snapshot can be continued, more than once", () => {
    const one = reduceTranscript(undefined, { type: "update", update: said("A") });
    const two = reduceTranscript(one, { type: "update", update: said("B") });
    const other = reduceTranscript(one, { type: "update", update: said("C") });
    expect([one, two, other].map((state) => message(state).text)).toEqual(["A", "AB", "AC"]);
    expect(emptyTranscript.entries).toEqual([]);
  });

  test("unchanged parts are the same objects", () => {
    const one = reduce(prompt("Hi"), call("a"), call("b"), { sessionUpdate: "usage_update", used: 1, size: 2 });
    const two = reduceTranscript(one, { type: "update", update: update("b", { status: "completed" }) });
    expect(two.entries[0]).toBe(one.entries[0]);
    expect(two.entries[1]).toBe(one.entries[1]);
    expect(two.entries[2]).not.toBe(one.entries[2]);
    expect(two.turns).toBe(one.turns);
    expect(two.usage).toBe(one.usage);
    expect(reduceTranscript(two, [])).toBe(two);
    expect(reduceTranscript(two, { type: "update", update: said("") })).toBe(two);
  });
});
