import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Bridged, bridged, text, turn, v1ClientV2Agent, v1Params, v2Result } from "../../test/bridged.js";
import { sendUpdate, updatesOf } from "../../test/peers.js";

const prompt = { sessionId: "s", prompt: [text("hi")] };
const running = { sessionUpdate: "state_update", state: "running" };
const idle = (more: object = { stopReason: "end_turn" }): object => ({
  sessionUpdate: "state_update",
  state: "idle",
  ...more,
});
const userMessage = (messageId: string, content = "hi"): object => ({
  sessionUpdate: "user_message",
  messageId,
  content: [text(content)],
});
const chunk = (messageId: string, content: string): object => ({
  sessionUpdate: "agent_message_chunk",
  messageId,
  content: text(content),
});

/** Sends a prompt, which the agent inserts and works on. */
async function working(pair: Bridged): Promise<unknown> {
  const id = pair.client.request("session/prompt", prompt).id;
  await turn();
  sendUpdate(pair.agent, userMessage("u1"));
  pair.agent.respond(pair.agent.lastReceived("session/prompt").id, { messageId: "u1" });
  sendUpdate(pair.agent, running);
  await turn();
  return id;
}

describe("a client of version 1: turns", () => {
  it("end with the work, after its updates, and not with the response of the agent", async () => {
    const pair = await v1ClientV2Agent();
    const { client, agent } = pair;
    const id = await working(pair);
    expect(client.receivedSoFar()).toEqual([]);
    sendUpdate(agent, chunk("m1", "Hello"));
    sendUpdate(agent, idle({ stopReason: "max_tokens", usage: { totalTokens: 5 }, _meta: { a: 1 } }));
    sendUpdate(agent, chunk("m2", "later"));
    await turn();
    expect(client.receivedSoFar()).toEqual([
      { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: chunk("m1", "Hello") } },
      { jsonrpc: "2.0", id, result: { stopReason: "max_tokens", usage: { totalTokens: 5 }, _meta: { a: 1 } } },
      { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: chunk("m2", "later") } },
    ]);
  });

  it("versions.loss-once: end with `end_turn` for an absent or unknown stop reason, and with the agent's error", async () => {
    const pair = await v1ClientV2Agent();
    const ends = [
      {},
      { stopReason: null },
      { stopReason: "_tired" },
      { stopReason: "error", error: { code: -32000, message: "log in" } },
      { stopReason: "error" },
    ];
    const responses = [];
    for (const end of ends) {
      const id = pair.client.request("session/prompt", prompt).id;
      await turn();
      const messageId = `u${responses.length}`;
      sendUpdate(pair.agent, running);
      pair.agent.respond(pair.agent.lastReceived("session/prompt").id, { messageId });
      sendUpdate(pair.agent, idle(end));
      await turn();
      responses.push(pair.client.responseTo(id));
    }
    expect(responses).toMatchObject([
      { result: { stopReason: "end_turn" } },
      { result: { stopReason: "end_turn" } },
      { result: { stopReason: "end_turn" } },
      { error: { code: -32000, message: "log in" } },
      { error: { code: -32603 } },
    ]);
    expect(pair.lost()).toEqual(["stop_reason"]);
  });

  it("are rejected by an error before insertion; a cancelled prompt has a result", async () => {
    const { client, agent } = await v1ClientV2Agent();
    const refused = client.request("session/prompt", prompt).id;
    const cancelled = client.request("session/prompt", prompt).id;
    await turn();
    const [first, second] = agent.receivedSoFar() as { id: unknown }[];
    agent.refuse(first as never, -32000, "log in");
    agent.refuse(second as never, -32800);
    await turn();
    expect(client.responseTo(refused)).toMatchObject({ error: { code: -32000, message: "log in" } });
    expect(client.responseTo(cancelled)).toMatchObject({ result: { stopReason: "cancelled" } });
  });

  it("don't end with a second response of the agent to the same prompt, which is reported", async () => {
    const pair = await v1ClientV2Agent();
    pair.unchecked.add(pair.agent).add(pair.client);
    const id = await working(pair);
    const sent = pair.agent.lastReceived("session/prompt").id;
    for (const repeated of [sent, id as never]) pair.agent.respond(repeated, { stopReason: "end_turn" });
    await turn();
    expect(pair.client.receivedSoFar()).toEqual([]);
    expect(pair.diagnostics).toMatchObject([
      { code: "unknown_response", id: sent },
      { code: "unknown_response", id },
    ]);
    sendUpdate(pair.agent, idle());
    await turn();
    expect(pair.client.responseTo(id)).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  it("repeated and unknown states end nothing", async () => {
    const pair = await v1ClientV2Agent();
    const id = await working(pair);
    for (const state of ["running", "requires_action", "_thinking", "running"])
      sendUpdate(pair.agent, { sessionUpdate: "state_update", state, background: [] });
    await turn();
    expect(pair.client.receivedSoFar()).toEqual([]);
    sendUpdate(pair.agent, idle());
    sendUpdate(pair.agent, idle());
    await turn();
    expect(pair.client.receivedSoFar().filter((message) => message.id === id)).toHaveLength(1);
  });

  it("of agents that respond after the end, or never report work, end", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const late = await v1ClientV2Agent();
    const lateId = late.client.request("session/prompt", prompt).id;
    await turn();
    sendUpdate(late.agent, running);
    sendUpdate(late.agent, idle());
    late.agent.respond(late.agent.lastReceived("session/prompt").id, { messageId: "u1" });
    await turn();
    vi.advanceTimersByTime(100);
    await turn();
    expect(late.client.responseTo(lateId)).toMatchObject({ result: { stopReason: "end_turn" } });

    const early = await v1ClientV2Agent();
    const earlyId = early.client.request("session/prompt", prompt).id;
    await turn();
    early.agent.respond(early.agent.lastReceived("session/prompt").id, {});
    sendUpdate(early.agent, idle());
    await turn();
    expect(early.client.responseTo(earlyId)).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  it("don't hang if the agent does not confirm a cancellation without work", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { client, agent } = await v1ClientV2Agent({ cancelGraceMs: 50 });
      const id = client.request("session/prompt", prompt).id;
      await turn();
      agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u1" });
      await turn();
      client.notify("session/cancel", { sessionId: "s" });
      await turn();
      expect(client.responseTo(id)).toBeUndefined();
      vi.advanceTimersByTime(50);
      await turn();
      expect(client.responseTo(id)).toMatchObject({ result: { stopReason: "cancelled" } });
    } finally {
      vi.useRealTimers();
    }
  });

  it("that are inserted after their cancellation are cancelled again", async () => {
    const { client, agent } = await v1ClientV2Agent();
    const id = client.request("session/prompt", prompt).id;
    client.notify("session/cancel", { sessionId: "s" });
    await turn();
    const { id: request } = agent.lastReceived("session/prompt");
    agent.forget();
    sendUpdate(agent, running);
    agent.respond(request, { messageId: "u1" });
    await turn();
    expect(agent.receivedSoFar()).toMatchObject([{ method: "session/cancel" }]);
    sendUpdate(agent, idle({ stopReason: "cancelled" }));
    await turn();
    expect(client.responseTo(id)?.result).toEqual({ stopReason: "cancelled" });
  });

  it("cancelling the request of an inserted prompt cancels the work, of another one the request", async () => {
    const pair = await v1ClientV2Agent();
    const id = await working(pair);
    const second = pair.client.request("session/prompt", { ...prompt, prompt: [text("second")] }).id;
    await turn();
    const secondRequest = pair.agent.lastReceived("session/prompt").id;
    pair.client.notify("$/cancel_request", { requestId: second });
    pair.client.notify("$/cancel_request", { requestId: id });
    await turn();
    expect(pair.agent.receivedSoFar().slice(-2)).toEqual([
      { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: secondRequest } },
      { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } },
    ]);
  });
});

describe("a client of version 1: messages", () => {
  it("does not get its own prompt, but other user messages and those of a replay", async () => {
    const pair = await v1ClientV2Agent();
    await working(pair);
    sendUpdate(pair.agent, userMessage("u1"));
    sendUpdate(pair.agent, userMessage("u2", "from a phone"));
    await turn();
    expect(updatesOf(pair.client)).toEqual([
      { sessionUpdate: "user_message_chunk", messageId: "u2", content: text("from a phone") },
    ]);
    pair.client.forget();
    const id = pair.client.request("session/load", { sessionId: "s", cwd: "/work", mcpServers: [] }).id;
    await turn();
    expect(pair.agent.lastReceived("session/resume").params).toMatchObject({ replayFrom: { type: "start" } });
    sendUpdate(pair.agent, userMessage("u1"));
    sendUpdate(pair.agent, running);
    pair.agent.respond(id, {});
    await turn();
    expect(updatesOf(pair.client)).toMatchObject([{ sessionUpdate: "user_message_chunk", messageId: "u1" }]);
    expect(pair.client.receivedSoFar().at(-1)).toMatchObject({ id, result: {} });
  });

  it("versions.whole-text: gets whole messages as chunks: only the rest of one that grows, and all of one that is replaced", async () => {
    const { client, agent, lost } = await v1ClientV2Agent();
    const whole = (content: object[] | null): void =>
      sendUpdate(agent, { sessionUpdate: "agent_message", messageId: "m", content });
    sendUpdate(agent, chunk("m", "One"));
    whole([text("One, two")]);
    whole([text("One"), text(", two"), text(", three")]);
    sendUpdate(agent, { sessionUpdate: "agent_thought", messageId: "m", content: [text("One")] });
    await turn();
    expect(lost()).toEqual([]);
    whole([text("None")]);
    whole(null);
    await turn();
    expect(
      updatesOf(client).map(({ sessionUpdate, content }) => [sessionUpdate, (content as { text: string }).text]),
    ).toEqual([
      ["agent_message_chunk", "One"],
      ["agent_message_chunk", ", two"],
      ["agent_message_chunk", ", three"],
      ["agent_thought_chunk", "One"],
      ["agent_message_chunk", "None"],
    ]);
    expect(lost()).toEqual(["message_replaced", "message_cleared"]);
  });

  it("V2-REQ-26: gets unknown content as a text, and unknown updates unchanged", async () => {
    const { client, agent, lost, unchecked } = await v1ClientV2Agent();
    unchecked.add(client); // version 1 has no unknown updates, but clients must expect newer ones
    const unknown = { sessionUpdate: "_vendor/update", more: [1] };
    sendUpdate(agent, { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "_map", at: 1 } });
    sendUpdate(agent, unknown);
    await turn();
    expect(updatesOf(client)).toEqual([
      {
        sessionUpdate: "agent_message_chunk",
        messageId: "m",
        content: text("[Content of type _map is not supported]"),
      },
      unknown,
    ]);
    expect(lost()).toEqual(["content"]);
  });
});

describe("a client of version 1: tool calls", () => {
  it("are announced once; `null` clears, and statuses and kinds have the nearest value", async () => {
    const { client, agent, lost } = await v1ClientV2Agent();
    sendUpdate(agent, { sessionUpdate: "tool_call_update", toolCallId: "t" });
    sendUpdate(agent, {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      title: "T",
      kind: "_dance",
      status: "paused",
      _meta: { a: 1 },
    });
    sendUpdate(agent, {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      title: null,
      content: null,
      kind: null,
      name: null,
      _meta: { b: 2 },
    });
    sendUpdate(agent, {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      status: "cancelled",
      capabilities: { cancel: {} },
      _meta: { a: null },
    });
    await turn();
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t" };
    expect(updatesOf(client)).toEqual([
      { sessionUpdate: "tool_call", toolCallId: "t", title: "" },
      { ...update, title: "T", kind: "other", status: "in_progress", _meta: { a: 1 } },
      { ...update, title: "", content: [], kind: "other", _meta: { a: 1, b: 2 } },
      { ...update, status: "failed", _meta: { b: 2 } },
    ]);
    expect(lost()).toEqual(["tool_call_kind", "tool_call_status", "tool_call_clear"]);
  });

  it("send their whole content after chunks, at the latest with the end of the turn", async () => {
    const pair = await v1ClientV2Agent();
    const { client, agent } = pair;
    const id = await working(pair);
    const item = (content: string): object => ({ type: "content", content: text(content) });
    sendUpdate(agent, { sessionUpdate: "tool_call_update", toolCallId: "t", title: "T", content: [item("a")] });
    for (const content of ["b", "c"])
      sendUpdate(agent, { sessionUpdate: "tool_call_content_chunk", toolCallId: "t", content: item(content) });
    sendUpdate(agent, idle());
    await turn();
    expect(updatesOf(client).at(-1)).toEqual({
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      content: ["a", "b", "c"].map(item),
    });
    expect(client.receivedSoFar().at(-1)).toMatchObject({ id });
  });

  it("show a diff of each hunk, and name changes that version 1 can't show", async () => {
    const { client, agent, lost } = await v1ClientV2Agent();
    const patch = [
      "diff --git /a b /a b",
      "--- /a b\t",
      "+++ /a b\t",
      "@@ -1,2 +1,2 @@",
      " one",
      "-two",
      "+zwei",
      "",
    ].join("\n");
    const diff = {
      type: "diff",
      changes: [
        { operation: "modify", path: "/a b" },
        { operation: "move", oldPath: "/c", path: "/d" },
        { operation: "delete", path: "/e" },
      ],
      patch: { format: "git_patch", text: patch },
    };
    sendUpdate(agent, { sessionUpdate: "tool_call_update", toolCallId: "t", title: "T", content: [diff] });
    await turn();
    expect(updatesOf(client)[0]?.content).toEqual([
      { type: "diff", path: "/a b", oldText: "one\ntwo\n", newText: "one\nzwei\n" },
      { type: "content", content: text("Moved /c to /d") },
      { type: "content", content: text("Deleted /e") },
    ]);
    expect(lost()).toEqual(["diff"]);
  });

  it("show the output of the agent's terminals as text, also if a character is split", async () => {
    const { client, agent, lost } = await v1ClientV2Agent();
    const bytes = new TextEncoder().encode("\u001b[31mgrün\u001b[0m\r\n");
    const base64 = (part: Uint8Array): string => Buffer.from(part).toString("base64");
    sendUpdate(agent, { sessionUpdate: "terminal_update", terminalId: "x", command: "ls" });
    sendUpdate(agent, {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      title: "ls",
      content: [{ type: "terminal", terminalId: "x" }],
    });
    sendUpdate(agent, { sessionUpdate: "terminal_output_chunk", terminalId: "x", data: base64(bytes.slice(0, 8)) });
    sendUpdate(agent, { sessionUpdate: "terminal_output_chunk", terminalId: "x", data: base64(bytes.slice(8)) });
    sendUpdate(agent, { sessionUpdate: "terminal_update", terminalId: "x", exitStatus: { exitCode: 0 } });
    sendUpdate(agent, { sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" });
    await turn();
    expect(updatesOf(client).map(({ content }) => content)).toEqual([
      [{ type: "content", content: text("$ ls") }],
      [{ type: "content", content: text("$ ls\ngrün\n[exit code 0]") }],
    ]);
    sendUpdate(agent, { sessionUpdate: "terminal_output_chunk", terminalId: "x", data: "%%%" });
    await turn();
    expect(lost()).toEqual(["terminal", "terminal_output"]);
  });
});

describe("a client of version 1: permissions", () => {
  const options = [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "odd", name: "Odd", kind: "_odd" },
  ];
  const ask = async (pair: Bridged, request: object): Promise<unknown> => {
    const id = pair.agent.request("session/request_permission", {
      sessionId: "s",
      title: "Run?",
      options,
      ...request,
    }).id;
    await turn();
    return id;
  };

  it("get a tool call with the title and the description, and no option of an unknown kind", async () => {
    const pair = await v1ClientV2Agent();
    await ask(pair, {
      subject: { type: "tool_call", toolCall: { toolCallId: "t", kind: "execute" } },
      description: "Deletes all",
    });
    expect(pair.client.lastReceived("session/request_permission").params).toEqual({
      sessionId: "s",
      toolCall: {
        toolCallId: "t",
        kind: "execute",
        title: "Run?",
        content: [{ type: "content", content: text("Deletes all") }],
      },
      options: options.slice(0, 1),
    });
    await ask(pair, { subject: { type: "command", command: "rm -r /", cwd: "/" } });
    expect(pair.client.lastReceived("session/request_permission").params).toMatchObject({
      toolCall: { kind: "execute", title: "Run?", rawInput: { command: "rm -r /", cwd: "/" } },
    });
    await ask(pair, {});
    expect(pair.lost()).toEqual(["permission_option", "permission"]);
  });

  it("show every path of a diff, also of changes without a text, so that rules of the client can match them", async () => {
    const pair = await v1ClientV2Agent();
    const changes = [
      { operation: "move", oldPath: "/work/.env", path: "/work/env.txt" },
      { operation: "delete", path: "/work/key.pem" },
    ];
    const header = "diff --git /work/a.txt /work/a.txt\nnew file mode 100644\n--- /dev/null\n+++ /work/a.txt\n";
    const patch = { format: "git_patch", text: `${header}@@ -0,0 +1 @@\n+a\n` };
    const content = [
      { type: "diff", changes },
      { type: "diff", changes: [{ operation: "add", path: "/work/a.txt" }], patch },
    ];
    const toolCall = { toolCallId: "t", locations: [{ path: "/work/b.txt", line: 3 }], content };
    await ask(pair, { subject: { type: "tool_call", toolCall } });
    expect(pair.client.lastReceived("session/request_permission").params).toMatchObject({
      toolCall: {
        locations: [
          { path: "/work/b.txt", line: 3 },
          { path: "/work/.env" },
          { path: "/work/env.txt" },
          { path: "/work/key.pem" },
        ],
      },
    });
  });

  it("versions.no-approval: are approved only by an option that was offered", async () => {
    const pair = await v1ClientV2Agent();
    const outcomes = [
      { result: { outcome: { outcome: "selected", optionId: "yes" } } },
      { result: { outcome: { outcome: "selected", optionId: "odd" } } },
      { result: { outcome: { outcome: "approved" } } },
      { result: { outcome: { outcome: "cancelled" } } },
      { error: { code: -32800, message: "cancelled" } },
      { result: "yes" },
      { error: { code: -32603, message: "broken" } },
    ];
    const results = [];
    for (const outcome of outcomes) {
      const id = await ask(pair, {});
      pair.client.send({ id: pair.client.lastReceived("session/request_permission").id, ...outcome });
      await turn();
      results.push(pair.agent.responseTo(id));
    }
    const cancelled = { result: { outcome: { outcome: "cancelled" } } };
    expect(results).toMatchObject([
      outcomes[0],
      cancelled,
      cancelled,
      cancelled,
      cancelled,
      { error: { code: -32603 } },
      { error: { code: -32603, message: "broken" } },
    ]);
  });

  it("without an option that version 1 knows are cancelled; with `strict`, those without a tool call are refused", async () => {
    const pair = await v1ClientV2Agent({ strict: true });
    const first = await ask(pair, { options: options.slice(1) });
    const second = await ask(pair, {});
    expect(pair.agent.responseTo(first)?.result).toEqual({ outcome: { outcome: "cancelled" } });
    expect(pair.agent.responseTo(second)?.error?.code).toBe(-32602);
    expect(pair.client.receivedSoFar()).toEqual([]);
  });
});

describe("a client of version 1: modes, options, commands, plans", () => {
  const mode = (currentValue: string): object => ({
    type: "select",
    configId: "m",
    name: "Mode",
    category: "mode",
    currentValue,
    options: [
      { value: "ask", name: "Ask" },
      { value: "code", name: "Code" },
    ],
  });
  const custom = { type: "_slider", configId: "x", name: "X" };

  it("gets the option of category mode as modes, too, and sets the mode through it", async () => {
    const { client, agent, lost } = await v1ClientV2Agent();
    const id = client.request("session/new", { cwd: "/", mcpServers: [] }).id;
    await turn();
    const availableCommands = [
      { type: "command", name: "plan", description: "d", input: { type: "text", hint: "h" } },
      { type: "_odd", name: "odd", description: "" },
    ];
    agent.respond(id, { sessionId: "n", configOptions: [mode("ask"), custom], availableCommands });
    await turn();
    const { configId: _, ...select } = mode("ask") as { configId: string };
    expect(client.responseTo(id)?.result).toEqual({
      sessionId: "n",
      modes: {
        currentModeId: "ask",
        availableModes: [
          { id: "ask", name: "Ask" },
          { id: "code", name: "Code" },
        ],
      },
      configOptions: [{ ...select, id: "m" }],
    });
    expect(updatesOf(client, "n")).toEqual([
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "plan", description: "d", input: { hint: "h" } }],
      },
    ]);
    expect(lost()).toEqual(["config_option", "command"]);
    client.forget();

    const set = client.request("session/set_mode", { sessionId: "n", modeId: "code" }).id;
    await turn();
    expect(agent.lastReceived("session/set_config_option").params).toEqual({
      sessionId: "n",
      configId: "m",
      type: "id",
      value: "code",
    });
    sendUpdate(agent, { sessionUpdate: "config_option_update", configOptions: [mode("code")] }, "n");
    agent.respond(set, { configOptions: [mode("code")] });
    await turn();
    expect(client.responseTo(set)?.result).toEqual({});
    client.forget();
    sendUpdate(agent, { sessionUpdate: "config_option_update", configOptions: [mode("ask")] }, "n");
    await turn();
    expect(updatesOf(client, "n")).toMatchObject([
      { sessionUpdate: "config_option_update", configOptions: [{ id: "m" }] },
      { sessionUpdate: "current_mode_update", currentModeId: "ask" },
    ]);
    const withoutModes = client.request("session/set_mode", { sessionId: "s", modeId: "code" }).id;
    await turn();
    expect(client.responseTo(withoutModes)?.error?.code).toBe(-32602);
  });

  it("gets boolean options only if it offers to show them", async () => {
    const boolean = { type: "boolean", configId: "b", name: "B", currentValue: true };
    for (const clientCapabilities of [{}, { session: { configOptions: { boolean: {} } } }]) {
      const { client, agent } = await v1ClientV2Agent({}, { params: { ...v1Params, clientCapabilities } });
      sendUpdate(agent, { sessionUpdate: "config_option_update", configOptions: [boolean] });
      await turn();
      const { configId: _, ...rest } = boolean;
      const expected = "session" in clientCapabilities ? [{ ...rest, id: "b" }] : [];
      expect(updatesOf(client)).toEqual([{ sessionUpdate: "config_option_update", configOptions: expected }]);
    }
  });

  it("gets plans, costs that are unchanged, and notices only if it shows them", async () => {
    const { client, agent, lost } = await v1ClientV2Agent();
    const entry = { content: "c", priority: "high", status: "cancelled" };
    sendUpdate(agent, { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries: [entry] } });
    sendUpdate(agent, { sessionUpdate: "plan_update", plan: { type: "_graph", planId: "q" } });
    sendUpdate(agent, { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 1, currency: "EUR" } });
    sendUpdate(agent, { sessionUpdate: "usage_update", used: 2, size: 2 });
    sendUpdate(agent, { sessionUpdate: "usage_update", used: 3, size: 2, cost: null });
    sendUpdate(agent, { sessionUpdate: "notice", severity: "info", title: "n" });
    await turn();
    expect(updatesOf(client)).toEqual([
      { sessionUpdate: "plan", entries: [{ ...entry, status: "completed" }] },
      { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 1, currency: "EUR" } },
      { sessionUpdate: "usage_update", used: 2, size: 2, cost: { amount: 1, currency: "EUR" } },
      { sessionUpdate: "usage_update", used: 3, size: 2 },
    ]);
    expect(lost()).toEqual(["plan_entry", "plan", "notice"]);
  });
});

describe("a client of version 1: requests", () => {
  it("have the names and params of version 2", async () => {
    const { client, agent } = await v1ClientV2Agent();
    const servers = [
      { name: "m", command: "/m", args: [], env: [] },
      { type: "http", name: "h", url: "https://h", headers: [] },
    ];
    client.request("authenticate", { methodId: "m" });
    client.request("logout", {});
    client.request("session/resume", { sessionId: "r", cwd: "/", mcpServers: servers });
    client.request("session/delete", { sessionId: "r" });
    client.request("_vendor/ping", { a: 1 });
    await turn();
    expect(agent.receivedSoFar().map(({ method, params }) => [method, params])).toEqual([
      ["auth/login", { methodId: "m" }],
      ["auth/logout", {}],
      ["session/resume", { sessionId: "r", cwd: "/", mcpServers: [{ ...servers[0], type: "stdio" }, servers[1]] }],
      ["session/delete", { sessionId: "r" }],
      ["_vendor/ping", { a: 1 }],
    ]);
  });

  it("with the id null get another one, and invalid ones are refused", async () => {
    const { client, agent } = await v1ClientV2Agent();
    client.request("session/list", {}, { id: null });
    const sse = client.request("session/new", {
      cwd: "/",
      mcpServers: [{ type: "sse", name: "s", url: "https://s", headers: [] }],
    }).id;
    const wrong = client.request("session/prompt", { sessionId: "s" }).id;
    const other = client.request("tool_call/cancel", { sessionId: "s", toolCallId: "t" }).id;
    await turn();
    expect(agent.receivedSoFar()).toHaveLength(1);
    const { id } = agent.lastReceived("session/list");
    expect(id).not.toBeNull();
    agent.respond(id, { sessions: [] });
    await turn();
    expect(client.responseTo(null)?.result).toEqual({ sessions: [] });
    expect(client.responseTo(sse)?.error?.code).toBe(-32602);
    expect(client.responseTo(wrong)?.error?.code).toBe(-32602);
    expect(client.responseTo(other)?.error?.code).toBe(-32601);
  });

  it("of the agent for files of the client are refused, and a closed session is gone", async () => {
    const { client, agent } = await v1ClientV2Agent();
    const read = agent.request("fs/read_text_file", { sessionId: "s", path: "/a" }).id;
    const close = client.request("session/close", { sessionId: "s" }).id;
    await turn();
    expect(agent.responseTo(read)?.error?.code).toBe(-32601);
    agent.refuse(close, -32002, "no such session");
    await turn();
    expect(client.responseTo(close)?.result).toEqual({});
  });
});

describe("a client of version 1: bad input", () => {
  it("invalid updates are reported and dropped, invalid results are errors", async () => {
    const { client, agent, diagnostics, unchecked } = await v1ClientV2Agent();
    unchecked.add(client); // the bridge passes the response without a request
    sendUpdate(agent, { sessionUpdate: "agent_message_chunk" });
    agent.notify("session/update", "?");
    agent.send({ id: "unknown", result: {} });
    const opening = client.request("session/new", { cwd: "/", mcpServers: [] }).id;
    await turn();
    agent.respond(opening, { sessionId: 5 });
    await turn();
    expect(diagnostics.map(({ code }) => code)).toEqual(["invalid_params", "invalid_params"]);
    expect(client.responseTo(opening)?.error?.code).toBe(-32603);
  });

  it("100,000 upserts of one message send each text once", async () => {
    const { client, agent } = await v1ClientV2Agent();
    for (let n = 1; n <= 100_000; n += 1)
      sendUpdate(agent, {
        sessionUpdate: "agent_message",
        messageId: "m",
        content: [text("x".repeat(Math.ceil(n / 1000)))],
      });
    await turn();
    expect(
      updatesOf(client)
        .map(({ content }) => (content as { text: string }).text)
        .join(""),
    ).toBe("x".repeat(100));
  });

  it("versions.bounded: the oldest of too many messages and tool calls are treated as new", async () => {
    const { client, agent, lost } = await v1ClientV2Agent();
    for (let n = 0; n < 10_001; n += 1) sendUpdate(agent, chunk(`m${n}`, "x"));
    for (let n = 0; n < 1_001; n += 1)
      sendUpdate(agent, { sessionUpdate: "tool_call_update", toolCallId: `t${n}`, title: "T" });
    await turn();
    expect(lost()).toEqual(["too_many_items"]);
    client.forget();
    sendUpdate(agent, { sessionUpdate: "agent_message", messageId: "m0", content: [text("xy")] });
    sendUpdate(agent, { sessionUpdate: "agent_message", messageId: "m9", content: [text("xy")] });
    sendUpdate(agent, { sessionUpdate: "tool_call_update", toolCallId: "t0" });
    sendUpdate(agent, { sessionUpdate: "tool_call_update", toolCallId: "t9" });
    await turn();
    const content = (update: object): unknown => (update as { content?: { text: string } }).content?.text;
    expect(updatesOf(client).map((update) => [update.sessionUpdate, content(update)])).toEqual([
      ["agent_message_chunk", "xy"],
      ["agent_message_chunk", "y"],
      ["tool_call", undefined],
      ["tool_call_update", undefined],
    ]);
  });

  it("versions.bounded: ids and titles count with their length, so that long ones are forgotten earlier", async () => {
    const { client, agent, lost } = await v1ClientV2Agent();
    const long = "x".repeat(300_000);
    const send = (n: number): void => {
      sendUpdate(agent, chunk(`m${n}${long}`, "x"));
      sendUpdate(agent, { sessionUpdate: "tool_call_update", toolCallId: `t${n}`, title: `${n}${long.repeat(20)}` });
    };
    for (let n = 0; n < 5; n += 1) send(n);
    await turn();
    expect(lost()).toEqual(["too_many_items"]);
    client.forget();
    for (const n of [0, 4]) {
      sendUpdate(agent, { sessionUpdate: "agent_message", messageId: `m${n}${long}`, content: [text("xy")] });
      sendUpdate(agent, { sessionUpdate: "tool_call_update", toolCallId: `t${n}` });
    }
    await turn();
    const content = (update: object): unknown => (update as { content?: { text: string } }).content?.text;
    expect(updatesOf(client).map((update) => [update.sessionUpdate, content(update)])).toEqual([
      ["agent_message_chunk", "xy"],
      ["tool_call", undefined],
      ["agent_message_chunk", "y"],
      ["tool_call_update", undefined],
    ]);
  });

  it("an agent that ends, or that reads no more, leaves nothing open", async () => {
    const pair = await v1ClientV2Agent();
    await working(pair);
    await pair.agent.close();
    await turn();
    expect((await pair.client.closed).how).toBe("ended");
  });

  it("an invalid result of `initialize` is an error", async () => {
    const { client, agent } = bridged({ prefer: 2 });
    const id = client.request("initialize", v1Params).id;
    await turn();
    agent.respond(id, { ...v2Result, info: { name: 1 } });
    await turn();
    expect(client.responseTo(id)?.error?.code).toBe(-32603);
  });
});
