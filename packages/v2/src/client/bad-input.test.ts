import { describe, expect, it, vi } from "vitest";
import { turn } from "../../test/bridged.js";
import { chunk, idle, running, userMessage, withSession } from "../../test/connected.js";
import { sendUpdate } from "../../test/peers.js";

/** Runs a turn in which the agent sends these updates, and returns its session. */
async function turnWith(...updates: readonly object[]) {
  const pair = await withSession();
  const { session, agent } = pair;
  const prompt = session.prompt("Hi");
  const text = prompt.text();
  await turn();
  agent.respond(agent.lastReceived("session/prompt").id, { messageId: "x" });
  sendUpdate(agent, userMessage("Hi", "x"));
  sendUpdate(agent, running);
  for (const update of updates) sendUpdate(agent, update);
  sendUpdate(agent, idle("end_turn"));
  expect(await prompt.result).toEqual({ stopReason: "end_turn" });
  return { ...pair, text: await text };
}

describe("V2-REQ-26: requests that are none", () => {
  const permission = {
    sessionId: "s",
    title: "Run",
    subject: { type: "tool_call", toolCall: { toolCallId: "t", title: "Run" } },
    options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
  };

  it("a request with the id null gets -32600 with the id null, and reaches no handler", async () => {
    const permissions = vi.fn(async () => "allow_once" as const);
    const { agent } = await withSession({ permissions });
    agent.request("session/request_permission", permission, { id: null });
    agent.request("_vendor/unknown", {}, { id: null });
    await turn();
    const error = { jsonrpc: "2.0", id: null, error: expect.objectContaining({ code: -32600 }) };
    expect(agent.receivedSoFar()).toEqual([error, error]);
    expect(permissions).not.toHaveBeenCalled();
    agent.request("session/request_permission", permission, { id: 0 });
    await turn();
    expect(agent.receivedSoFar().at(-1)).toMatchObject({ id: 0, result: { outcome: { optionId: "y" } } });
  });

  it("an array gets one error and reaches no handler", async () => {
    const permissions = vi.fn(async () => "allow_once" as const);
    const { agent, diagnostics } = await withSession({ permissions });
    const request = { jsonrpc: "2.0", id: 9, method: "session/request_permission", params: permission };
    agent.sendValue([request, request]);
    await turn();
    expect(diagnostics).toMatchObject([{ code: "invalid_message", id: null }]);
    expect(agent.receivedSoFar()).toEqual([
      { jsonrpc: "2.0", id: null, error: expect.objectContaining({ code: -32600 }) },
    ]);
    expect(permissions).not.toHaveBeenCalled();
  });
});

describe("V2-REQ-26: tags", () => {
  it("unknown ones reach the application and the transcript unchanged", async () => {
    const { session, agent, diagnostics } = await withSession();
    const received: unknown[] = [];
    session.onUpdate((update) => void received.push(update));
    const unknown = { sessionUpdate: "_vendor/progress", percent: 5, nested: { a: null } };
    const map = { type: "_vendor/map", at: [1, 2] };
    sendUpdate(agent, unknown);
    sendUpdate(agent, { sessionUpdate: "agent_message_chunk", messageId: "m", content: map });
    await turn();
    expect(received).toMatchObject([unknown, { sessionUpdate: "agent_message_chunk", content: map }]);
    expect(session.transcript.snapshot.entries).toMatchObject([
      { type: "unknown", update: unknown },
      { type: "agent_message", content: [map] },
    ]);
    expect(diagnostics).toEqual([]);
  });

  it.each<[string, object]>([
    ["a chunk without content", { sessionUpdate: "agent_message_chunk", messageId: "m" }],
    ["a message whose id is a number", { sessionUpdate: "agent_message", messageId: 1, content: [] }],
    ["a tool call without an id", { sessionUpdate: "tool_call_update", title: "Run" }],
    ["output that is no text", { sessionUpdate: "terminal_output_chunk", terminalId: "x", data: [1] }],
    ["a state that is no text", { sessionUpdate: "state_update", state: 7 }],
  ])("%s is one diagnostic, and nothing else changes", async (_, update) => {
    const { session, diagnostics, text } = await turnWith(update, chunk("Hello"));
    expect(text).toBe("Hello");
    expect(diagnostics).toMatchObject([{ method: "session/update" }]);
    expect(session.transcript.snapshot.entries).toHaveLength(2);
  });
});

describe("bad input of an agent", () => {
  it("one id for a prompt, messages, a thought, a tool call, a terminal and a plan is one of each", async () => {
    const data = btoa("out");
    const { session, agent, text, diagnostics } = await turnWith(
      { sessionUpdate: "agent_message_chunk", messageId: "x", content: { type: "text", text: "Hello" } },
      { sessionUpdate: "agent_thought_chunk", messageId: "x", content: { type: "text", text: "Hm" } },
      { sessionUpdate: "tool_call_update", toolCallId: "x", title: "Run", status: "in_progress", capabilities: {} },
      { sessionUpdate: "terminal_update", terminalId: "x", command: "ls", capabilities: { cancel: {} } },
      { sessionUpdate: "terminal_output_chunk", terminalId: "x", data },
      { sessionUpdate: "plan_update", plan: { type: "items", planId: "x", entries: [] } },
      { sessionUpdate: "agent_message", messageId: "x", content: [{ type: "text", text: "Bye" }] },
      { sessionUpdate: "tool_call_update", toolCallId: "x", status: "completed" },
    );
    const { entries, terminals } = session.transcript.snapshot;
    expect(entries.filter(({ type }) => type !== "plan")).toMatchObject([
      { type: "user_message", text: "Hi" },
      { type: "agent_message", text: "Bye" },
      { type: "thought", text: "Hm" },
      { type: "tool_call", title: "Run", status: "completed" },
    ]);
    expect(terminals.x).toMatchObject({ command: "ls", output: "out" });
    expect(terminals.x).not.toHaveProperty("exit");
    expect(text).toBe("Bye");
    expect(session.canCancel("x")).toBe(false); // only the terminal can be cancelled
    await expect(session.cancelToolCall("x")).rejects.toMatchObject({ name: "CapabilityError" });
    const cancelled = session.cancelTerminal("x");
    await turn();
    agent.respond(agent.lastReceived("terminal/cancel").id, {});
    await cancelled;
    expect(diagnostics).toEqual([]);
  });

  it("output that is not base64 is ignored, and the other output is kept", async () => {
    const output = (data: string): object => ({ sessionUpdate: "terminal_output_chunk", terminalId: "x", data });
    const { session } = await turnWith(
      { sessionUpdate: "terminal_update", terminalId: "x", output: { data: "%%%" } },
      ...[btoa("a"), "not base64!", "", "=", "YQ", btoa("b")].map(output),
    );
    expect(session.transcript.snapshot.terminals.x?.output).toBe("aab");
  });

  it("an unknown state is work, until idle", async () => {
    const { session, agent } = await withSession();
    sendUpdate(agent, { sessionUpdate: "state_update", state: "_thinking", more: { nested: null } });
    await turn();
    expect(session.activity).toBe("running");
    sendUpdate(agent, chunk("Hello"));
    sendUpdate(agent, idle());
    await turn();
    expect(session.activity).toBe("idle");
    expect(session.transcript.snapshot.turns).toMatchObject([{ state: "ended", origin: "agent" }]);
  });
});
