import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { type ProcessEvent, type RecordingEntry, type Side, Tracer } from "@acp-kit/testing/recording";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { comparedMessages, comparedPairs } from "../../page/model/compare.js";
import { Conversation } from "../../page/model/conversation.js";
import { ProtocolSchema } from "../../page/model/method-schema.js";
import { recordingScript } from "../../page/model/script/recording-script.js";
import { barsOf, MAX_BARS, turnsOf } from "../../page/model/waterfall.js";
import { JsonView, paintJson } from "../../page/parts/json-view.js";

// The models of the page run without a browser.

const entry = (from: Side, message: object): RecordingEntry => ({
  t: 0,
  kind: "message",
  from,
  message: { jsonrpc: "2.0", ...message },
});
const update = (sessionId: string, members: object): RecordingEntry =>
  entry("agent", { method: "session/update", params: { sessionId, update: members } });
const chunk = (sessionId: string, text: string): RecordingEntry =>
  update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** A conversation with a permission request and a terminal. */
const talk = (sessionId: string, stopReason = "end_turn"): RecordingEntry[] => [
  { t: 0, kind: "process", event: "started", command: ["agent", "--acp"] },
  entry("client", { id: 0, method: "initialize", params: { protocolVersion: 1 } }),
  entry("agent", {
    id: 0,
    result: { protocolVersion: 1, agentInfo: { name: "a", version: "2" }, agentCapabilities: { loadSession: true } },
  }),
  entry("client", { id: 1, method: "session/new", params: { cwd: "/work", mcpServers: [] } }),
  entry("agent", {
    id: 1,
    result: { sessionId, modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] } },
  }),
  entry("client", { id: 2, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "Go" }] } }),
  chunk(sessionId, "Hel"),
  chunk(sessionId, "lo"),
  update(sessionId, { sessionUpdate: "tool_call", toolCallId: "c", title: "Edit", kind: "edit", status: "pending" }),
  entry("agent", {
    id: "p",
    method: "session/request_permission",
    params: { sessionId, toolCall: { toolCallId: "c" }, options: [{ optionId: "y", name: "Yes", kind: "allow_once" }] },
  }),
  entry("client", { id: "p", result: { outcome: { outcome: "selected", optionId: "y" } } }),
  entry("agent", { id: "t", method: "terminal/create", params: { sessionId, command: "ls", args: ["-l"] } }),
  entry("client", { id: "t", result: { terminalId: "t1" } }),
  entry("agent", { id: "o", method: "terminal/output", params: { sessionId, terminalId: "t1" } }),
  entry("client", { id: "o", result: { output: "a.ts", truncated: false, exitStatus: { exitCode: 0 } } }),
  entry("agent", { id: 2, result: { stopReason } }),
];

const after = (entries: readonly RecordingEntry[]): Conversation => {
  const conversation = new Conversation();
  for (const each of entries) conversation.add(each);
  return conversation;
};

describe("the conversation of a recording", () => {
  it("has the agent, its sessions and their transcripts", () => {
    const { agent, sessions, latest, agentRequests } = after(talk("s1"));
    expect(agent).toMatchObject({ name: "a", version: "2", capabilities: { loadSession: true } });
    expect(latest).toBe("s1");
    expect(agentRequests.size).toBe(0);
    const { snapshot, cwd } = sessions.get("s1") ?? {};
    expect(cwd).toBe("/work");
    expect(snapshot?.entries.map(({ type }) => type)).toEqual(["user_message", "agent_message", "tool_call"]);
    expect(snapshot?.entries[1]).toMatchObject({ text: "Hello" });
    expect(snapshot?.entries[2]).toMatchObject({ permission: { state: "decided" } });
    expect(snapshot?.terminals.t1).toMatchObject({ command: "ls -l", output: "a.ts", exit: { exitCode: 0 } });
    expect(snapshot?.turns).toMatchObject([{ state: "ended", stopReason: "end_turn" }]);
    expect(snapshot?.modes?.currentModeId).toBe("ask");
  });

  const said = (role: string, text: string): RecordingEntry =>
    update("s1", { sessionUpdate: `${role}_message_chunk`, content: { type: "text", text } });
  const notice = (meta: object): RecordingEntry => update("s1", { sessionUpdate: "session_info_update", _meta: meta });
  const idle = notice({ "acp-kit/turn": "idle", "acp-kit/outcome": { result: { stopReason: "cancelled" } } });
  const opening = (method: string, history: readonly RecordingEntry[]): RecordingEntry[] => [
    entry("client", { id: 1, method, params: { sessionId: "s1", cwd: "/work", mcpServers: [] } }),
    ...history,
    entry("agent", { id: 1, result: { _meta: { "acp-kit/turn": "running" } } }),
  ];

  it("shows the turn that ran when the page loaded the session as running, with one message, until it ends", () => {
    const loaded = opening("session/load", [said("user", "Go"), chunk("s1", "Hel")]);
    const running = [...loaded, chunk("s1", "lo")];
    expect(after(running).sessions.get("s1")?.snapshot).toMatchObject({
      activity: "running",
      entries: [{ type: "user_message" }, { type: "agent_message", text: "Hello" }],
      turns: [{ state: "running", joined: true }],
    });
    expect(after([...running, idle]).sessions.get("s1")?.snapshot).toMatchObject({
      activity: "idle",
      turns: [{ state: "ended", stopReason: "cancelled" }],
    });
  });

  it.each<[string, RecordingEntry[]]>([
    ["runs when the session is resumed", opening("session/resume", [])],
    ["begins later", [...talk("s1"), notice({ "acp-kit/turn": "running" })]],
  ])("shows a turn of another client that %s, and ends it when the agent ends", (_, entries) => {
    expect(after(entries).sessions.get("s1")?.snapshot.activity).toBe("running");
    const exit = { t: 0, kind: "process", event: "exited", exitCode: 1, signal: null } as const;
    expect(after([...entries, exit]).sessions.get("s1")?.snapshot).toMatchObject({ activity: "idle" });
  });

  it("keeps the turn of its own prompt when the session is loaded again", () => {
    const prompt = { sessionId: "s1", prompt: [{ type: "text", text: "Go" }] };
    const entries = [
      ...opening("session/resume", []).slice(0, 1),
      entry("agent", { id: 1, result: {} }),
      entry("client", { id: 2, method: "session/prompt", params: prompt }),
      ...opening("session/load", []),
      entry("agent", { id: 2, result: { stopReason: "end_turn" } }),
    ];
    const before = after(entries.slice(0, -1)).sessions.get("s1")?.snapshot;
    expect(before?.turns.some(({ joined }) => joined)).toBe(false);
    expect(after(entries).sessions.get("s1")?.snapshot.activity).toBe("idle");
  });

  it("has the agent's open requests, at any message", () => {
    const entries = talk("s1");
    const asked = entries.findIndex((each) => JSON.stringify(each).includes("request_permission"));
    const { agentRequests, sessions } = after(entries.slice(0, asked + 1));
    expect([...agentRequests.values()]).toMatchObject([
      { id: "p", method: "session/request_permission", sessionId: "s1" },
    ]);
    expect(sessions.get("s1")?.snapshot.activity).toBe("running");
  });

  it("ends turns and closes sessions when the agent starts again", () => {
    const { sessions, agentRequests } = after([...talk("s1").slice(0, 9), { t: 1, kind: "process", event: "started" }]);
    expect(agentRequests.size).toBe(0);
    expect(sessions.get("s1")).toMatchObject({ isClosed: true });
    expect(sessions.get("s1")?.snapshot.activity).toBe("idle");
  });

  it.each<ProcessEvent>([{ event: "output_ended" }, { event: "exited", exitCode: null, signal: "SIGKILL" }])(
    "ends turns, and removes open requests, when the agent has ended: %j",
    (event) => {
      const { sessions, agentRequests } = after([...talk("s1").slice(0, 10), { t: 1, kind: "process", ...event }]);
      expect(agentRequests.size).toBe(0);
      const { activity, turns, entries } = sessions.get("s1")?.snapshot ?? {};
      expect(activity).toBe("idle");
      expect(turns).toMatchObject([{ state: "ended", error: { message: "The agent ended." } }]);
      expect(entries?.at(-1)).toMatchObject({ type: "tool_call", unfinished: true });
    },
  );

  it("marks the open tool calls of a turn that the user stops", () => {
    const cancel = entry("client", { method: "session/cancel", params: { sessionId: "s1" } });
    const { snapshot } = after([...talk("s1").slice(0, 9), cancel]).sessions.get("s1") ?? {};
    expect(snapshot?.activity).toBe("running");
    expect(snapshot?.entries.at(-1)).toMatchObject({ type: "tool_call", unfinished: true });
  });

  it("follows lists, modes, options, closing and deleting, and keeps the last error", () => {
    const conversation = after([
      ...talk("s1"),
      entry("client", { id: 3, method: "session/list", params: {} }),
      entry("agent", { id: 3, result: { sessions: [{ sessionId: "old", cwd: "/", title: "Old" }, { sessionId: 1 }] } }),
      entry("client", { id: 4, method: "session/delete", params: { sessionId: "old" } }),
      entry("agent", { id: 4, error: { code: -32_603, message: "not now" } }),
      entry("client", { id: 5, method: "session/close", params: { sessionId: "s1" } }),
      entry("agent", { id: 5, result: {} }),
      entry("client", { id: 6, method: "session/load", params: { sessionId: "old", cwd: "/", mcpServers: [] } }),
      chunk("old", "as before"),
      entry("agent", { id: 6, result: {} }),
    ]);
    expect(conversation.listed).toEqual([{ sessionId: "old", cwd: "/", title: "Old" }]);
    expect(conversation.lastError).toEqual({ method: "session/delete", message: "not now" });
    expect(conversation.sessions.get("s1")?.isClosed).toBe(true);
    expect(conversation.sessions.get("old")?.snapshot.entries).toMatchObject([{ replayed: true, text: "as before" }]);
  });

  it("keeps the last error until the same method succeeds", () => {
    const failing = [
      entry("client", { id: 1, method: "session/new", params: {} }),
      entry("agent", { id: 1, error: { code: -32_000, message: "Authentication required" } }),
      entry("client", { id: 2, method: "authenticate", params: { methodId: "m" } }),
      entry("agent", { id: 2, result: {} }),
    ];
    expect(after(failing).lastError).toEqual({ method: "session/new", message: "Authentication required" });
    const created = [
      entry("client", { id: 3, method: "session/new", params: {} }),
      entry("agent", { id: 3, result: { sessionId: "s" } }),
    ];
    expect(after([...failing, ...created]).lastError).toBeUndefined();
  });

  it("contains nothing that a previous process has reported about itself", () => {
    const { agent, listed, nextCursor, lastError } = after([
      ...talk("s1"),
      entry("client", { id: 3, method: "session/list", params: {} }),
      entry("agent", { id: 3, result: { sessions: [{ sessionId: "old" }], nextCursor: "2" } }),
      entry("client", { id: 4, method: "session/delete", params: { sessionId: "old" } }),
      entry("agent", { id: 4, error: { code: -32_603, message: "not now" } }),
      { t: 1, kind: "process", event: "started" },
    ]);
    expect(agent).toEqual({ protocolVersion: 1, capabilities: {}, authMethods: [] });
    expect([listed, nextCursor, lastError]).toEqual([[], undefined, undefined]);
  });

  it("survives messages of any shape", () => {
    const values = [
      null,
      1,
      [],
      {},
      { method: 1 },
      { id: {}, result: null },
      { method: "session/update", params: { sessionId: "s", update: null } },
    ];
    const more = ["session/prompt", "session/load", "session/request_permission", "initialize"].map((method) => ({
      id: 9,
      method,
      params: { sessionId: "s", prompt: 1, options: 2, toolCall: null },
    }));
    const entries = [...values, ...more].flatMap((message): RecordingEntry[] => [
      { t: 0, kind: "message", from: "agent", message },
      { t: 0, kind: "message", from: "client", message },
      { t: 0, kind: "message", from: "agent", message: { id: 9, result: 5 } },
    ]);
    expect(after(entries).sessions.size).toBeLessThanOrEqual(1);
  });

  it("survives objects that can't be converted to a string", () => {
    const odd = { toString: 1 };
    const entries = [
      ...talk("s1"),
      entry("client", { id: 3, method: "session/list", params: {} }),
      entry("agent", { id: 3, error: { code: odd, message: odd } }),
      update("s1", { sessionUpdate: odd }),
      update("s1", { sessionUpdate: "agent_message_chunk", content: { type: "text", text: odd } }),
      entry("agent", { id: "t", method: "terminal/create", params: { sessionId: "s1", args: [odd] } }),
      entry("client", { id: "t", result: { terminalId: "t2" } }),
    ];
    const { lastError, sessions } = after(entries);
    expect(lastError).toEqual({ method: "session/list", message: '{"toString":1}' });
    expect(sessions.get("s1")?.snapshot.terminals.t2).toMatchObject({ command: ' {"toString":1}' });
    expect(comparedMessages(entries).map(({ label }) => label)).toContain('{"toString":1}');
  });

  it("contains only values of the types that the page's components expect", () => {
    const snapshotOf = (...entries: RecordingEntry[]) =>
      after([...talk("s1"), ...entries]).sessions.get("s1")?.snapshot;
    const load = (result: object) =>
      snapshotOf(
        entry("client", { id: 3, method: "session/load", params: { sessionId: "s1", cwd: "/", mcpServers: [] } }),
        entry("agent", { id: 3, result }),
      );
    expect(load({ modes: { currentModeId: "x" }, configOptions: {} })).toMatchObject({
      modes: { availableModes: [{ id: "ask" }] }, // of `session/new`
    });
    expect(load({ configOptions: {} })?.configOptions ?? []).toEqual([]);
    const asked = snapshotOf(
      entry("agent", {
        id: "q",
        method: "session/request_permission",
        params: { sessionId: "s1", toolCall: { toolCallId: "c", title: {}, content: 7 }, options: [] },
      }),
    );
    expect(asked?.entries.find(({ type }) => type === "tool_call")).toMatchObject({ title: "Edit", content: [] });
    const prompted = snapshotOf(
      entry("client", {
        id: 4,
        method: "session/prompt",
        params: { sessionId: "s1", prompt: [{ type: "text", text: {} }] },
      }),
    );
    expect(prompted?.activity).toBe("running");
    const ended = snapshotOf(
      entry("agent", { id: "w", method: "terminal/wait_for_exit", params: { sessionId: "s1", terminalId: "t1" } }),
      entry("client", { id: "w", result: { exitCode: {}, signal: {} } }),
    );
    expect(ended?.terminals.t1?.exit).toEqual({});
  });
});

describe("the JSON of a message", () => {
  it("is cut if it is long, even in a string of quotes", () => {
    const html = renderToString(createElement(JsonView, { value: { text: '"'.repeat(100_000) } }));
    expect(html).toContain("Show all <!-- -->200,016<!-- --> characters");
  });

  it("gets its colours in linear time, even if it is cut in a string of quotes", async () => {
    const paint = (size: number) => paintJson(`["${'\\"'.repeat(size)}`);
    expect(paint(3)).toMatchObject(["[", { props: { className: "string" } }, "", ""]);
    expect(await growthOf(paint)).toBeLessThan(LINEAR);
  });
});

describe("two recordings", () => {
  it("have no difference if only ids, times and the boundaries of text chunks differ", () => {
    const right = talk("other").flatMap((each) =>
      JSON.stringify(each).includes('"Hel"') ? [chunk("other", "H"), chunk("other", "el")] : [each],
    );
    const pairs = comparedPairs(comparedMessages(talk("s1")), comparedMessages(right));
    expect(pairs?.filter(({ kind }) => kind !== "same")).toEqual([]);
  });

  it("have a changed pair of messages if a message differs", () => {
    const pairs = comparedPairs(comparedMessages(talk("s1")), comparedMessages(talk("s2", "refusal")));
    expect(pairs?.filter(({ kind }) => kind !== "same")).toMatchObject([
      { kind: "changed", left: { label: "↩ session/prompt" } },
    ]);
  });

  it("differ if images, extension messages or the sessions of chunks differ", () => {
    const image = (data: string): RecordingEntry =>
      update("s", { sessionUpdate: "agent_message_chunk", content: { type: "image", mimeType: "image/png", data } });
    const extension = (value: string): RecordingEntry =>
      entry("agent", { method: "_vendor/log_chunk", params: { value } });
    const differences = (left: RecordingEntry[], right: RecordingEntry[]) =>
      comparedPairs(comparedMessages(left), comparedMessages(right))?.filter(({ kind }) => kind !== "same").length;
    expect(differences([image("a")], [image("b")])).toBe(1);
    expect(differences([extension("a")], [extension("b")])).toBe(1);
    expect(comparedMessages([chunk("s1", "a"), chunk("s2", "b"), chunk("s2", "c")]).map(({ text }) => text)).toEqual([
      "a",
      "bc",
    ]);
  });

  it("are not aligned if they have too many differences", () => {
    const many = (word: string) =>
      comparedMessages(
        Array.from({ length: 6_000 }, (_, index) => entry("agent", { method: `_${word}`, params: { index, word } })),
      );
    expect(comparedPairs(many("a"), many("b"))).toBeUndefined();
  });
});

describe("the test that is saved from a recording", () => {
  const script = (entries: readonly RecordingEntry[]): string =>
    recordingScript({ header: {} as never, entries, problems: [] });

  it("sends the recorded messages of the client, and expects those of the agent", () => {
    const source = script(talk("s1"));
    expect(source).toContain('spawnPeer({ command: "agent", args: ["--acp"] })');
    expect(source).toContain('await client.request("session/new", { cwd: "/work", mcpServers: [] });');
    expect(source).toContain('{ sessionId: session1?.sessionId, prompt: [{ type: "text", text: "Go" }] }');
    expect(source).toContain('content: { type: "text", text: "Hello" }');
    expect(source).toContain('inOrder([{ result: { outcome: { outcome: "selected", optionId: "y" } } }])');
    expect(source).toContain('{ result: { stopReason: "end_turn" } }');
    expect(source).toContain("// Nothing of the recording was left out.");
  });

  it("responds to a permission request after the cancel, if the recorded client did", () => {
    const [started, ...others] = talk("s1").slice(0, 6);
    const source = script([
      started as RecordingEntry,
      ...others,
      entry("agent", { id: "p", method: "session/request_permission", params: { sessionId: "s1", options: [] } }),
      entry("client", { method: "session/cancel", params: { sessionId: "s1" } }),
      entry("client", { id: "p", result: { outcome: { outcome: "cancelled" } } }),
      entry("agent", { id: 2, result: { stopReason: "cancelled" } }),
    ]);
    expect(source).toContain('.on("session/request_permission", inOrder([noResponse]))');
    expect(source.indexOf('client.notify("session/cancel"')).toBeLessThan(source.indexOf("client.respond("));
    expect(source).toContain("// - the updates of cancelled turns");
  });

  it("lists the omitted messages in a comment", () => {
    const source = script([
      { t: 0, kind: "process", event: "started", command: ["wss://example.com/acp"] },
      ...talk("s1").slice(1),
      { t: 1, kind: "noise", from: "agent", text: "Welcome!" },
      entry("client", { id: 8, method: "session/set_mode", params: { sessionId: "s1", modeId: "[redacted]" } }),
      entry("agent", { id: 8, result: {} }),
      entry("client", { id: 9, method: "session/prompt", params: {} }),
    ]);
    expect(source).toContain("// - lines that are not JSON-RPC messages (1).");
    expect(source).toContain(
      "// - requests of the client without a response, because the recording ended before it (1).",
    );
    expect(source).toContain("// - the command of the agent");
    expect(source).toContain("// - secrets");
  });

  it("shows characters that an editor hides, and no text of a message in a comment", () => {
    const text = "a\u2028b\u202ec\u200b";
    const source = script([
      ...talk("s1").slice(0, 5),
      entry("client", { id: 2, method: text, params: { __proto__: null, [text]: text } }),
      entry("agent", { id: 2, result: JSON.parse('{"__proto__": {"x": 1}}') }),
    ]);
    expect(source).toContain('"a\\u2028b\\u202ec\\u200b"');
    expect(source).not.toMatch(/[\u2028\u202e\u200b]/);
    expect(source).toContain('["__proto__"]: { x: 1 }');
  });
});

describe("the schema of the protocol", () => {
  const path = createRequire(import.meta.url).resolve("@acp-kit/schema/v1/schema.unstable.json");
  const schema = new ProtocolSchema(readFileSync(path, "utf8"));

  it("contains every method of the agent, with the smallest params", () => {
    const methods = schema.methods.map(({ method }) => method);
    expect(methods).toEqual(expect.arrayContaining(["initialize", "session/new", "session/prompt", "session/cancel"]));
    const prompt = schema.methods.find(({ method }) => method === "session/prompt");
    expect(schema.example(prompt?.schema)).toEqual({ sessionId: "", prompt: [] });
    expect(schema.methods.find(({ method }) => method === "session/cancel")?.isNotification).toBe(true);
  });

  it("completes members, required members first", () => {
    const opening = schema.methods.find(({ method }) => method === "session/new");
    const members = schema.membersOf(opening?.schema);
    expect(
      members
        .slice(0, 2)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["cwd", "mcpServers"]);
    expect(members[0]?.isRequired).toBe(true);
  });
});

describe("the turns of a recording", () => {
  it("keep their numbers if only the last ones are listed", () => {
    const entries = Array.from({ length: 502 }, (_, id) =>
      entry("client", { id, method: "session/prompt", params: { sessionId: "s", prompt: [] } }),
    );
    const tracer = new Tracer();
    const turns = turnsOf(entries.flatMap((each) => tracer.add(each)));
    expect([turns[0]?.number, turns.at(-1)?.number]).toEqual([3, 502]);
  });
});

describe("the waterfall of a turn", () => {
  const toolCall = (toolCallId: string, t: number, members: object): RecordingEntry => ({
    ...update("s", { toolCallId, ...members }),
    t,
  });

  it("shows the whole title of a tool call, with or without a status", () => {
    const entries = [
      entry("client", { id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } }),
      toolCall("a", 10, { sessionUpdate: "tool_call", title: "Read it first" }),
      toolCall("b", 20, { sessionUpdate: "tool_call", title: "Write it", status: "pending" }),
    ];
    const tracer = new Tracer();
    const rows = entries.flatMap((each) => tracer.add(each));
    const [turn] = turnsOf(rows);
    const labels = barsOf(rows, turn as never).flatMap(({ kind, label }) => (kind === "tool" ? [label] : []));
    expect(labels).toEqual(["tool call: Read it first", "tool call: Write it"]);
  });

  it("ends the bar of each tool call with its own update, also for parallel tool calls", () => {
    const entries = [
      { ...entry("client", { id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } }), t: 0 },
      toolCall("a", 10, { sessionUpdate: "tool_call", title: "Read", status: "pending" }),
      toolCall("b", 20, { sessionUpdate: "tool_call", title: "Read", status: "pending" }),
      toolCall("c", 30, { sessionUpdate: "tool_call", title: "Write", status: "pending" }),
      toolCall("a", 40, { sessionUpdate: "tool_call_update", status: "completed" }),
      toolCall("c", 60, { sessionUpdate: "tool_call_update", status: "failed" }),
      toolCall("unknown", 70, { sessionUpdate: "tool_call_update", status: "completed" }),
      toolCall("d", 80, { sessionUpdate: "tool_call", title: "Search", status: "completed" }),
      { ...entry("agent", { id: 1, result: { stopReason: "end_turn" } }), t: 100 },
    ];
    const tracer = new Tracer();
    const rows = entries.flatMap((each) => tracer.add(each));
    const [turn] = turnsOf(rows);
    const tools = barsOf(rows, turn as never).filter(({ kind }) => kind === "tool");
    expect(tools.map(({ label, from, to, isOpen }) => [label, from, to, isOpen])).toEqual([
      ["tool call: Read", 10, 40, false],
      ["tool call: Read", 20, 100, true],
      ["tool call: Write", 30, 60, false],
      ["tool call: Search", 80, 80, false],
    ]);
  });

  it("shows the first parts of a long turn, and the ends of their tool calls", () => {
    const entries = [
      { ...entry("client", { id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } }), t: 0 },
      ...Array.from({ length: 1_000 }, (_, n) =>
        toolCall(`${n}`, n, { sessionUpdate: "tool_call", title: "Read", status: "pending" }),
      ),
      toolCall("0", 2_000, { sessionUpdate: "tool_call_update", status: "completed" }),
      { ...entry("agent", { id: 1, result: { stopReason: "end_turn" } }), t: 3_000 },
    ];
    const tracer = new Tracer();
    const rows = entries.flatMap((each) => tracer.add(each));
    const bars = barsOf(rows, turnsOf(rows)[0] as never);
    expect(bars.length).toBe(MAX_BARS);
    expect(bars[1]).toMatchObject({ to: 2_000, isOpen: false });
  });
});
