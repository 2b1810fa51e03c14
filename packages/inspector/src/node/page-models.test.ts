import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RecordingEntry, Side } from "@acp-kit/testing/recording";
import { describe, expect, it } from "vitest";
import { comparedMessages, comparedPairs } from "../../page/model/compare.js";
import { Conversation } from "../../page/model/conversation.js";
import { ProtocolSchema } from "../../page/model/method-schema.js";
import { recordingScript } from "../../page/model/recording-script.js";

// What the page knows is computed without a browser.

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
    expect(snapshot?.entries[2]).toMatchObject({ permission: { state: "answered" } });
    expect(snapshot?.terminals.t1).toMatchObject({ command: "ls -l", output: "a.ts", exit: { exitCode: 0 } });
    expect(snapshot?.turns).toMatchObject([{ state: "ended", stopReason: "end_turn" }]);
    expect(snapshot?.modes?.currentModeId).toBe("ask");
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
});

describe("two recordings", () => {
  it("mean the same when only ids, times and the cuts of text differ", () => {
    const right = talk("other").flatMap((each) =>
      JSON.stringify(each).includes('"Hel"') ? [chunk("other", "H"), chunk("other", "el")] : [each],
    );
    const pairs = comparedPairs(comparedMessages(talk("s1")), comparedMessages(right));
    expect(pairs?.filter(({ kind }) => kind !== "same")).toEqual([]);
  });

  it("part where a message differs", () => {
    const pairs = comparedPairs(comparedMessages(talk("s1")), comparedMessages(talk("s2", "refusal")));
    expect(pairs?.filter(({ kind }) => kind !== "same")).toMatchObject([
      { kind: "changed", left: { label: "↩ session/prompt" } },
    ]);
  });

  it("are not aligned when too much differs", () => {
    const many = (word: string) =>
      comparedMessages(
        Array.from({ length: 6_000 }, (_, index) => entry("agent", { method: `_${word}`, params: { index, word } })),
      );
    expect(comparedPairs(many("a"), many("b"))).toBeUndefined();
  });
});

describe("a scripted test of a recording", () => {
  it("plays the agent's part", () => {
    const script = recordingScript(talk("s1"));
    expect(script).toContain('.initialize({"protocolVersion":1,"agentInfo":{"name":"a","version":"2"}');
    expect(script).toContain('.onPrompt("Go", async (turn) => {');
    expect(script).toContain(
      'turn.update({"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hel"}});',
    );
    expect(script).toContain('await turn.request("session/request_permission", { toolCall: {"toolCallId":"c"}');
    expect(script).toContain('return {"stopReason":"end_turn"};');
  });
});

describe("the schema of the protocol", () => {
  const path = createRequire(import.meta.url).resolve("@acp-kit/schema/v1/schema.unstable.json");
  const schema = new ProtocolSchema(readFileSync(path, "utf8"));

  it("names every method of the agent, with the smallest params", () => {
    const methods = schema.methods.map(({ method }) => method);
    expect(methods).toEqual(expect.arrayContaining(["initialize", "session/new", "session/prompt", "session/cancel"]));
    const prompt = schema.methods.find(({ method }) => method === "session/prompt");
    expect(schema.example(prompt?.schema)).toEqual({ sessionId: "", prompt: [] });
    expect(schema.methods.find(({ method }) => method === "session/cancel")?.isNotification).toBe(true);
  });

  it("completes members, those that are required first", () => {
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
