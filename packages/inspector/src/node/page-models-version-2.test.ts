import type { RecordingEntry, Side } from "@acp-kit/testing/recording";
import { describe, expect, it } from "vitest";
import { Conversation } from "../../page/model/conversation.js";

// The models of the page run without a browser.

const entry = (from: Side, message: object): RecordingEntry => ({
  t: 0,
  kind: "message",
  from,
  message: { jsonrpc: "2.0", ...message },
});
const update = (sessionUpdate: string, members: object, sessionId = "s1"): RecordingEntry =>
  entry("agent", { method: "session/update", params: { sessionId, update: { sessionUpdate, ...members } } });
const text = (text: string): object => ({ type: "text", text });
const chunk = (messageId: string, words: string, sessionId?: string): RecordingEntry =>
  update("agent_message_chunk", { messageId, content: text(words) }, sessionId);
const state = (name: string, members: object = {}): RecordingEntry =>
  update("state_update", { state: name, background: [], ...members });
const user = (messageId: string, words: string): RecordingEntry =>
  update("user_message", { messageId, content: [text(words)] });
const prompt = (id: number, words: string): RecordingEntry =>
  entry("client", { id, method: "session/prompt", params: { sessionId: "s1", prompt: [text(words)] } });
const inserted = (id: number, messageId: string): RecordingEntry => entry("agent", { id, result: { messageId } });

const mode = {
  configId: "mode",
  category: "mode",
  type: "select",
  name: "Mode",
  currentValue: "ask",
  options: [
    { value: "ask", name: "Ask" },
    { value: "code", name: "Code" },
  ],
};
const opening: readonly RecordingEntry[] = [
  { t: 0, kind: "process", event: "started" },
  entry("client", { id: 0, method: "initialize", params: { protocolVersion: 2, info: { name: "c", version: "1" } } }),
  entry("agent", {
    id: 0,
    result: { protocolVersion: 2, info: { name: "a", version: "2" }, capabilities: { session: { delete: {} } } },
  }),
  entry("client", { id: 1, method: "session/new", params: { cwd: "/work" } }),
  entry("agent", { id: 1, result: { sessionId: "s1", configOptions: [mode] } }),
];

const after = (...entries: readonly RecordingEntry[]): Conversation => {
  const conversation = new Conversation();
  for (const each of [...opening, ...entries]) conversation.add(each);
  return conversation;
};
const snapshotAfter = (...entries: readonly RecordingEntry[]) => after(...entries).sessions.get("s1")?.snapshot;

describe("the conversation of a recording of version 2", () => {
  it("has the agent in the form of version 1, and the options of its session", () => {
    const { agent, sessions } = after();
    expect(agent).toMatchObject({
      protocolVersion: 2,
      name: "a",
      version: "2",
      capabilities: { loadSession: true, sessionCapabilities: { delete: {}, resume: {} } },
    });
    expect(sessions.get("s1")?.snapshot).toMatchObject({ configOptions: [{ id: "mode" }], activity: "idle" });
  });

  const turn = [prompt(2, "Go"), user("u1", "Go"), inserted(2, "u1"), state("running"), chunk("m1", "Hel")];

  it("shows a turn until its work has ended, with states and background work", () => {
    expect(snapshotAfter(...turn)).toMatchObject({
      activity: "running",
      entries: [{ type: "user_message", text: "Go", messageId: "u1" }, { text: "Hel" }],
    });
    const background = [{ type: "tool_call", toolCallId: "c" }];
    const waiting = [...turn, state("requires_action", { background })];
    expect(snapshotAfter(...waiting)).toMatchObject({ requiresAction: true, background });
    const ended = snapshotAfter(...waiting, state("idle", { stopReason: "max_tokens", background }));
    expect(ended).toMatchObject({
      activity: "idle",
      background,
      turns: [{ state: "ended", stopReason: "max_tokens" }],
    });
    const error = { code: -32_001, message: "no credit" };
    const failed = snapshotAfter(...turn, state("idle", { stopReason: "error", error }));
    expect(failed?.turns).toMatchObject([{ state: "ended", error }]);
  });

  it.each<[string, readonly RecordingEntry[]]>([
    ["before the user message", [prompt(2, "Go"), inserted(2, "u1"), user("u1", "Go"), state("running")]],
    ["after the state", [prompt(2, "Go"), state("running"), user("u1", "Go"), inserted(2, "u1")]],
    ["after the end, without a user message", [prompt(2, "Go"), state("running"), state("idle"), inserted(2, "u1")]],
  ])("shows one turn and one message if the response comes %s", (_, entries) => {
    expect(snapshotAfter(...entries, state("idle", { stopReason: "end_turn" }))).toMatchObject({
      activity: "idle",
      entries: [{ type: "user_message", text: "Go" }],
      turns: [{ state: "ended" }],
    });
  });

  it("shows prompts that the agent holds until it begins or refuses them", () => {
    const held = [...turn, prompt(3, "Next")];
    expect(snapshotAfter(...held)).toMatchObject({ sending: [[text("Next")]], entries: [{}, {}] });
    const refused = snapshotAfter(...held, entry("agent", { id: 3, error: { code: -32_800, message: "cancelled" } }));
    expect(refused).not.toHaveProperty("sending");
    const begun = snapshotAfter(...held, state("idle"), user("u2", "Next"), inserted(3, "u2"), state("running"));
    expect(begun).not.toHaveProperty("sending");
    expect(begun?.turns).toMatchObject([{ state: "ended" }, { state: "running" }]);
  });

  it("shows work that the agent begins by itself as a turn", () => {
    const work = [...turn, state("idle"), state("running"), chunk("m2", "Tests are done")];
    expect(snapshotAfter(...work)?.turns).toMatchObject([{ state: "ended" }, { state: "running", origin: "agent" }]);
    expect(snapshotAfter(...work, state("idle"))?.activity).toBe("idle");
  });

  it("has the decoded output of the agent's terminals, tool calls, diffs and permissions", () => {
    const toolCall = { toolCallId: "c", title: "Run", content: [{ type: "terminal", terminalId: "t" }] };
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
    const params = { sessionId: "s1", title: "Run?", subject: { type: "tool_call", toolCall }, options };
    const asked = [
      ...turn,
      update("tool_call_update", toolCall),
      entry("agent", { id: "p", method: "session/request_permission", params }),
    ];
    expect([...after(...asked).agentRequests.values()]).toMatchObject([{ sessionId: "s1", toolCallId: "c" }]);
    const { entries, terminals } =
      snapshotAfter(
        ...asked,
        entry("client", { id: "p", result: { outcome: { outcome: "selected", optionId: "y" } } }),
        update("terminal_update", { terminalId: "t", command: "ls", capabilities: { cancel: {} } }),
        update("terminal_output_chunk", { terminalId: "t", data: btoa("caf\u00c3") }), // a part of a character
        update("terminal_output_chunk", { terminalId: "t", data: btoa("\u00a9\n") }),
        update("terminal_update", { terminalId: "t", exitStatus: { exitCode: 0 } }),
        update("tool_call_update", { toolCallId: "c", status: "completed" }),
      ) ?? {};
    expect(entries?.at(-1)).toMatchObject({
      type: "tool_call",
      title: "Run",
      status: "completed",
      permission: { state: "decided" },
    });
    expect(terminals?.t).toMatchObject({ command: "ls", output: "café\n", exit: { exitCode: 0 }, canCancel: true });
  });

  it("has the history of a resumed session, and joins the work that runs", () => {
    const params = { sessionId: "s1", cwd: "/work", replayFrom: { type: "start" } };
    const resume = entry("client", { id: 5, method: "session/resume", params });
    const history = [resume, user("u1", "Go"), update("agent_message", { messageId: "m1", content: [text("Hello")] })];
    const resumed = (name: string) => [...history, state(name), entry("agent", { id: 5, result: {} })];
    expect(snapshotAfter(...resumed("idle"))).toMatchObject({
      activity: "idle",
      entries: [
        { replayed: true, text: "Go" },
        { replayed: true, text: "Hello" },
      ],
    });
    const joined = [...resumed("running"), chunk("m1", ", world")];
    expect(snapshotAfter(...joined)).toMatchObject({ activity: "running", entries: [{}, { text: "Hello, world" }] });
    expect(snapshotAfter(...joined, state("idle", { stopReason: "end_turn" }))).toMatchObject({
      activity: "idle",
      turns: [{ state: "ended", joined: true }],
    });
  });

  it("follows the options, and ends turns and held prompts when the agent ends", () => {
    const set = { sessionId: "s1", configId: "mode", type: "id", value: "code" };
    const changed = snapshotAfter(
      entry("client", { id: 6, method: "session/set_config_option", params: set }),
      entry("agent", { id: 6, result: { configOptions: [{ ...mode, currentValue: "code" }] } }),
    );
    expect(changed?.configOptions).toMatchObject([{ id: "mode", currentValue: "code" }]);
    const exit = { t: 0, kind: "process", event: "exited", exitCode: 1, signal: null } as const;
    const ended = snapshotAfter(...turn, prompt(3, "Next"), exit);
    expect(ended).toMatchObject({ activity: "idle", turns: [{ error: { message: "The agent ended." } }] });
    expect(ended).not.toHaveProperty("sending");
  });
});

it.each([1, 2])("child sessions are in the transcript of their owner, in version %i", (protocolVersion) => {
  const info = { name: "a", version: "2" };
  const result = protocolVersion === 2 ? { protocolVersion, info } : { protocolVersion, agentInfo: info };
  const create = { sessionId: "s1", command: "ls", args: [] };
  const conversation = new Conversation();
  for (const each of [
    entry("client", { id: 0, method: "initialize", params: { protocolVersion } }),
    entry("agent", { id: 0, result }),
    entry("client", { id: 1, method: "session/new", params: { cwd: "/work", mcpServers: [] } }),
    entry("agent", { id: 1, result: { sessionId: "s1" } }),
    update("subagent_update", { sessionId: "s1", title: "itself" }),
    update("subagent_update", { sessionId: "k1", title: "Reviewer", state: { state: "running" } }),
    chunk("m1", "Looking", "k1"),
    update("subagent_update", { sessionId: "k2", title: "Helper" }, "k1"),
    chunk("m1", "Helping", "k2"),
    entry("agent", { id: "t", method: "terminal/create", params: { ...create, sessionId: "k1" } }),
    entry("client", { id: "t", result: { terminalId: "t1" } }),
  ])
    conversation.add(each);
  expect([...conversation.sessions.keys()]).toEqual(["s1"]);
  expect(conversation.sessions.get("s1")?.snapshot.children).toMatchObject({
    k1: { title: "Reviewer", transcript: { entries: [{ text: "Looking" }], terminals: { t1: { command: "ls" } } } },
    k2: { title: "Helper", parentId: "k1", transcript: { entries: [{ text: "Helping" }] } },
  });
});
