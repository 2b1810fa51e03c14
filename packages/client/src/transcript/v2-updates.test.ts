import type { V2Update } from "@acp-kit/protocol";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { readTranscript } from "./read-transcript.js";
import { reduceTranscript } from "./reduce-transcript.js";
import { MAX_TERMINAL_OUTPUT } from "./terminal-list.js";
import { createTranscript, Transcript } from "./transcript.js";
import type { TranscriptEvent } from "./transcript-event.js";
import type { TranscriptSnapshot } from "./transcript-snapshot.js";
import { MAX_BACKGROUND, MAX_CONTENT_ITEMS } from "./v2-updates.js";

const event = (update: V2Update | Record<string, unknown>): TranscriptEvent => ({
  type: "update",
  update: update as unknown as IncomingSessionUpdate,
});
const after = (...events: TranscriptEvent[]): TranscriptSnapshot => reduceTranscript(undefined, events);
const text = (value: string) => ({ type: "text" as const, text: value });
const prompt = (value: string): TranscriptEvent => ({ type: "prompt_sent", prompt: [text(value)] });
const userMessage = (messageId: string, value: string) =>
  event({ sessionUpdate: "user_message", messageId, content: [text(value)] });
const call = (toolCallId: string, members: object = {}) =>
  event({ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress", ...members });
const state = (value: "running" | "idle" | "requires_action", background?: { type: string }[]) =>
  event({ sessionUpdate: "state_update", state: value, ...(background && { background }) });

test("a load that fails leaves no child session of its history", () => {
  const kid = event({ sessionUpdate: "subagent_update", sessionId: "kid", title: "Kid", state: { state: "running" } });
  expect(after({ type: "replay_began" }, kid, { type: "replay_ended", failed: true }).children).toBeUndefined();
});

test("a prompt after work of the agent is a turn of its own, also if both are empty", () => {
  const work: TranscriptEvent[] = [
    { type: "turn_joined", origin: "agent" },
    { type: "turn_ended", joined: true },
  ];
  const { turns } = after(...work, event({ sessionUpdate: "_odd" }), prompt(""));
  expect(turns).toMatchObject([{ state: "ended", origin: "agent" }, { state: "running" }]);
});

test("an event that fails leaves nothing of its list in later transcripts", () => {
  const broken = { type: "prompt_sent", prompt: 1 } as unknown as TranscriptEvent;
  const first = after();
  expect(() => after(prompt("Hi"), broken)).toThrow(TypeError);
  expect(after()).toEqual(first);
  expect(after().entries).toEqual([]);
});

describe("user messages", () => {
  test("the agent's report of a prompt is the prompt, and later changes of it change the prompt", () => {
    const { entries, turns } = after(
      prompt("Hi"),
      userMessage("m1", "Hi"),
      event({ sessionUpdate: "agent_message", messageId: "m1", content: [text("Hello")] }),
      event({ sessionUpdate: "user_message", messageId: "m1", content: [text("Hi!")], _meta: { seen: true } }),
    );
    expect(entries).toMatchObject([
      { type: "user_message", messageId: "m1", text: "Hi!", meta: { seen: true }, turn: 0 },
      { type: "agent_message", messageId: "m1", text: "Hello", turn: 0 },
    ]);
    expect(turns).toHaveLength(1);
  });

  test("a prompt whose id is known is found by its id, whatever the agent made of its text", () => {
    const sent: TranscriptEvent = { type: "prompt_sent", prompt: [text("/plan")], messageId: "m1" };
    const { entries } = after(sent, userMessage("m1", "Make a plan"));
    expect(entries).toMatchObject([{ text: "Make a plan", messageId: "m1" }]);
  });

  test("a prompt that is echoed in chunks gets the id of its echo", () => {
    const echo = event({ sessionUpdate: "user_message_chunk", messageId: "m1", content: text("Hi") });
    expect(after(prompt("Hi"), echo, userMessage("m1", "Hi there")).entries).toMatchObject([{ text: "Hi there" }]);
  });

  test("the message of another client is a message of its own", () => {
    expect(after(prompt("Hi"), userMessage("m1", "Stop")).entries).toMatchObject([{ text: "Hi" }, { text: "Stop" }]);
  });

  test("each user message of a history begins a turn", () => {
    const { turns, entries } = after(
      { type: "replay_began" },
      userMessage("m1", "one"),
      event({ sessionUpdate: "agent_message", messageId: "a1", content: [text("1")] }),
      userMessage("m2", "two"),
      { type: "replay_ended" },
    );
    expect(turns).toEqual([
      { state: "replayed", firstEntry: 0 },
      { state: "replayed", firstEntry: 2 },
    ]);
    expect(entries.map(({ turn }) => turn)).toEqual([0, 0, 1]);
  });

  test("prompts that the agent holds are listed until they are part of the conversation", () => {
    const held = [text("and the docs")];
    const sending = after(prompt("Fix the tests"), { type: "prompts_sending", prompts: [held] });
    expect(sending.sending).toEqual([held]);
    expect(sending.entries).toHaveLength(1);
    const inserted = reduceTranscript(sending, [
      { type: "prompts_sending", prompts: [] },
      { type: "prompt_sent", prompt: held, messageId: "m2" },
    ]);
    expect(inserted).not.toHaveProperty("sending");
    expect(inserted.turns).toMatchObject([{ state: "running" }, { state: "running" }]);
    const joined: TranscriptEvent = { type: "turn_ended", stopReason: "end_turn" }; // one work, and so one end for both
    expect(reduceTranscript(inserted, [joined, joined])).toMatchObject({
      activity: "idle",
      turns: [{ stopReason: "end_turn" }, { stopReason: "end_turn" }],
    });
  });
});

describe("work", () => {
  test("work that the agent begins by itself is a turn of the agent", () => {
    const message = event({ sessionUpdate: "agent_message", messageId: "1", content: [text("Tests passed")] });
    const during = after({ type: "turn_joined", origin: "agent" }, message);
    expect(during).toMatchObject({ activity: "running", turns: [{ origin: "agent", joined: true }] });
    const ended = reduceTranscript(during, { type: "turn_ended", joined: true, stopReason: "_done" });
    expect(ended.turns).toEqual([
      { state: "ended", joined: true, origin: "agent", firstEntry: 0, stopReason: "_done" },
    ]);
    expect(ended.entries).toMatchObject([{ turn: 0, text: "Tests passed" }]);
  });

  test("a turn that waits for the user is marked while it waits", () => {
    const waiting = after(prompt("Hi"), state("running"), state("requires_action"));
    expect(waiting).toMatchObject({ activity: "running", requiresAction: true });
    expect(reduceTranscript(waiting, state("running"))).not.toHaveProperty("requiresAction");
  });

  test("V2-REQ-17: the end of a turn marks open calls, but not those that continue in the background", () => {
    const ended = after(
      prompt("Hi"),
      call("stops"),
      call("paused", { status: "paused" }),
      call("unknown", { status: "_odd" }),
      call("cancelled", { status: "cancelled" }),
      call("listed"),
      call("by terminal", { content: [{ type: "terminal", terminalId: "t" }] }),
      state("running", [
        { type: "tool_call", toolCallId: "listed" } as never,
        { type: "terminal", terminalId: "t" } as never,
        { type: "_odd" },
      ]),
      { type: "turn_ended", stopReason: "end_turn" },
    );
    const unfinished = ({ entries }: TranscriptSnapshot): string[] =>
      entries.flatMap((entry) => (entry.type === "tool_call" && entry.unfinished ? [entry.toolCallId] : []));
    expect(unfinished(ended)).toEqual(["stops", "paused", "unknown"]);
    expect(ended.background).toHaveLength(3);
    // It ends before it is removed from the list. A call that is removed without an end is not open any more.
    const done = reduceTranscript(ended, [call("listed", { status: "completed" }), state("idle", [])]);
    expect(unfinished(done)).toEqual(["stops", "paused", "unknown", "by terminal"]);
    expect(done.background).toEqual([]);
    expect(reduceTranscript(done, state("idle"))).not.toHaveProperty("background");
  });
});

describe("plans", () => {
  const plan = (planId: string, ...contents: string[]) =>
    event({
      sessionUpdate: "plan_update",
      plan: { type: "items", planId, entries: contents.map((content) => ({ content, priority: "low", status: "_x" })) },
    });

  test("each plan is an entry, and its next update replaces it until the next user message", () => {
    const { entries, plan: latest } = after(
      plan("1", "a"),
      plan("2", "b"),
      plan("1", "c"),
      userMessage("m", "Go on"),
      plan("1", "d"),
    );
    expect(entries).toMatchObject([
      { planId: "1", entries: [{ content: "c", status: "_x" }] },
      { planId: "2", entries: [{ content: "b" }] },
      { type: "user_message" },
      { planId: "1", entries: [{ content: "d" }] },
    ]);
    expect(latest).toMatchObject([{ content: "d" }]);
  });

  test("a plan of another type is kept as it is, and a removed plan has no entries", () => {
    const markdown = { type: "markdown", planId: "1", content: "# Plan" };
    const asMarkdown = after(plan("1", "a"), event({ sessionUpdate: "plan_update", plan: markdown }));
    expect(asMarkdown.entries).toMatchObject([{ planId: "1", entries: [], other: markdown }]);
    const removed = after(plan("1", "a"), event({ sessionUpdate: "plan_removed", planId: "1" }));
    expect(removed.entries).toEqual([{ type: "plan", planId: "1", entries: [], key: "0" }]);
    expect(removed.plan).toEqual([]);
  });
});

describe("terminals of the agent", () => {
  const output = (data: string) => event({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: btoa(data) });

  test("V2-REQ-20: members are patched, null clears them, and an exit status marks the end", () => {
    const running = after(
      event({
        sessionUpdate: "terminal_update",
        terminalId: "t",
        command: "npm test",
        cwd: "/work",
        size: { cols: 80, rows: 24 },
        capabilities: { cancel: {} },
      }),
      output("ok\n"),
    );
    expect(running.terminals.t).toEqual({
      terminalId: "t",
      owner: "agent",
      command: "npm test",
      cwd: "/work",
      size: { cols: 80, rows: 24 },
      canCancel: true,
      output: "ok\n",
    });
    const exit = { sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 1 } };
    const ended = reduceTranscript(running, event({ ...exit, cwd: null, size: null, capabilities: null }));
    expect(ended.terminals.t).toEqual({
      terminalId: "t",
      owner: "agent",
      command: "npm test",
      output: "ok\n",
      exit: { exitCode: 1 },
    });
  });

  test("V2-REQ-20: the output keeps its last million characters, and bytes that are not base64 are ignored", () => {
    const many = "x".repeat(300_000);
    const { terminals } = after(
      ...Array.from({ length: 5 }, () => output(many)),
      event({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "not base64!" }),
      output("end"),
    );
    const { output: kept = "", truncated } = terminals.t ?? {};
    expect(truncated).toBe(true);
    expect(kept.length).toBe(MAX_TERMINAL_OUTPUT);
    expect(kept.slice(-4)).toBe("xend");
  });

  test("a new snapshot of the output begins again", () => {
    const cut = after(...Array.from({ length: 5 }, () => output("x".repeat(300_000))));
    const snapshot = { sessionUpdate: "terminal_update", terminalId: "t", output: { data: btoa("new") } };
    expect(reduceTranscript(cut, event(snapshot)).terminals.t).toEqual({
      terminalId: "t",
      owner: "agent",
      output: "new",
    });
  });
});

describe("bounds", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => index);

  test("V2-REQ-19: 100,000 whole messages with one id are one entry with the last content", () => {
    const transcript = createTranscript();
    for (const n of many)
      transcript.apply(
        event({ sessionUpdate: "agent_message", messageId: "m", content: [text(`${n}`)], _meta: { [`k${n}`]: n } }),
      );
    const { entries } = transcript.snapshot;
    expect(entries).toMatchObject([{ text: "99999", content: [text("99999")] }]);
    expect(JSON.stringify(entries).length).toBeLessThan(30_000);
  });

  test("V2-REQ-17: of 100,000 items of background work, the first are kept", () => {
    const background = many.map((n) => ({ type: "tool_call", toolCallId: `${n}` }));
    const ended = after(prompt("Hi"), call("0"), state("running", background), { type: "turn_ended" });
    expect(ended.background).toHaveLength(MAX_BACKGROUND);
    expect(ended.entries[1]).not.toHaveProperty("unfinished");
  });

  test("100,000 items of a call's content are cut at a limit", () => {
    const item = { type: "content", content: { type: "image", data: "", mimeType: "image/png" } };
    const events = many.map(() => event({ sessionUpdate: "tool_call_content_chunk", toolCallId: "c", content: item }));
    expect(after(...events).entries).toMatchObject([{ content: { length: MAX_CONTENT_ITEMS } }]);
  });
});

test("a transcript of a session contains only the parts of its version: others see an unknown update", () => {
  const update = { sessionUpdate: "agent_message", messageId: "1", content: [text("Hi")] } as never;
  const transcript = new Transcript();
  transcript.update(update);
  expect(transcript.snapshot.entries).toMatchObject([{ type: "unknown", update }]);
});

test("a snapshot in the format of version 1 is read and continued", () => {
  const old = {
    version: 1,
    activity: "idle",
    entries: [{ key: "0", type: "agent_message", messageId: "m", content: [text("Hi")], text: "Hi" }],
    turns: [],
    terminals: {},
    usage: {},
    commands: [],
  };
  expect(readTranscript(old)).toEqual({ ...old, version: 2 });
  const change = event({ sessionUpdate: "agent_message", messageId: "m", content: [text("Bye")] });
  expect(reduceTranscript(readTranscript(old), change)).toMatchObject({ version: 2, entries: [{ text: "Bye" }] });
});
