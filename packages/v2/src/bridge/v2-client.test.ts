import { describe, expect, it, vi } from "vitest";
import { type Bridged, text, turn, v1Result, v2ClientV1Agent } from "../../test/bridged.js";

const state = (name: string, more: object = {}): object => ({ sessionUpdate: "state_update", state: name, ...more });

async function working(pair: Bridged, content = "hi"): Promise<unknown> {
  const id = pair.client.request("session/prompt", { sessionId: "s", prompt: [text(content)] });
  await turn();
  return id;
}

describe("a client of version 2: turns", () => {
  it("report the user message, the work, and the insertion; then the updates and the end", async () => {
    const pair = await v2ClientV1Agent();
    const { client, agent } = pair;
    const id = await working(pair);
    const messageId = (client.response(id)?.result as { messageId: string } | undefined)?.messageId;
    expect(client.received).toMatchObject([
      { params: { update: { sessionUpdate: "user_message", messageId, content: [text("hi")] } } },
      { params: { update: state("running") } },
      { id, result: { messageId } },
    ]);
    client.clear();
    agent.update({ sessionUpdate: "user_message_chunk", content: text("h") });
    agent.update({ sessionUpdate: "user_message_chunk", content: text("i") });
    agent.update({ sessionUpdate: "agent_message_chunk", content: text("Hel") });
    agent.update({ sessionUpdate: "agent_message_chunk", content: text("lo") });
    agent.update({ sessionUpdate: "agent_thought_chunk", content: text("?") });
    agent.update({ sessionUpdate: "agent_message_chunk", content: text("!") });
    agent.respond(agent.asked("session/prompt").id, {
      stopReason: "refusal",
      usage: { totalTokens: 1 },
      _meta: { a: 1 },
    });
    await turn();
    const updates = client.updates() as { messageId: string; content: { text: string } }[];
    expect(updates.map(({ content }) => content?.text)).toEqual(["Hel", "lo", "?", "!", undefined]);
    expect(updates[0]?.messageId).toBe(updates[1]?.messageId);
    expect(new Set(updates.slice(0, 4).map((update) => update.messageId)).size).toBe(3);
    expect(client.received.at(-1)).toMatchObject({
      params: { update: state("idle", { stopReason: "refusal", usage: { totalTokens: 1 }, _meta: { a: 1 } }) },
    });
  });

  it("run one after another; a cancel withdraws held prompts and ends the turn", async () => {
    const pair = await v2ClientV1Agent();
    const { client, agent } = pair;
    await working(pair, "one");
    const second = await working(pair, "two");
    const third = await working(pair, "three");
    const fourth = await working(pair, "four");
    expect(agent.received).toHaveLength(1);
    client.notify("$/cancel_request", { requestId: third });
    await turn();
    expect(client.response(third)?.error?.code).toBe(-32800);
    agent.respond(agent.asked("session/prompt").id, { stopReason: "end_turn" });
    await turn();
    expect(client.response(second)?.result).toHaveProperty("messageId");
    expect(agent.asked("session/prompt").params).toMatchObject({ prompt: [text("two")] });
    client.notify("session/cancel", { sessionId: "s" });
    await turn();
    expect(client.response(fourth)?.error?.code).toBe(-32800);
    expect(agent.received.at(-1)).toMatchObject({ method: "session/cancel" });
    agent.fail(agent.asked("session/prompt").id, -32603, "aborted");
    await turn();
    expect(client.updates().filter(({ state: name }) => name === "idle")).toEqual([
      state("idle", { stopReason: "end_turn" }),
      state("idle", { stopReason: "cancelled" }),
    ]);
  });

  it("end with the agent's error", async () => {
    const pair = await v2ClientV1Agent();
    await working(pair);
    pair.agent.fail(pair.agent.asked("session/prompt").id, -32000, "log in", { a: 1 });
    await turn();
    const error = { code: -32000, message: "log in", data: { a: 1 } };
    expect(pair.client.updates().at(-1)).toEqual(state("idle", { stopReason: "error", error }));
  });

  it("that ignore a cancellation end after the grace time, and the next one waits for the agent", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const pair = await v2ClientV1Agent({ cancelGraceMs: 50 });
      const { client, agent } = pair;
      await working(pair);
      client.notify("session/cancel", { sessionId: "s" });
      await turn();
      vi.advanceTimersByTime(50);
      const next = await working(pair, "next");
      expect(client.updates().at(-1)).toEqual(state("idle", { stopReason: "cancelled" }));
      expect(client.response(next)).toBeUndefined();
      agent.respond(agent.asked("session/prompt").id, { stopReason: "cancelled" });
      await turn();
      expect(client.response(next)?.result).toHaveProperty("messageId");
      expect(client.updates().filter(({ state: name }) => name === "idle")).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("refuse content that version 1 does not have", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const id = client.request("session/prompt", { sessionId: "s", prompt: [{ type: "_map" }] });
    await turn();
    expect(client.response(id)?.error?.code).toBe(-32602);
    expect(agent.received).toEqual([]);
  });
});

describe("a client of version 2: updates", () => {
  it("V2-REQ-26: have the names, tags and members of version 2, and unknown ones stay", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const entries = [{ content: "c", priority: "high", status: "pending" }];
    const unknown = { sessionUpdate: "_vendor/update", more: [1] };
    agent.update({
      sessionUpdate: "tool_call",
      toolCallId: "t",
      title: "T",
      content: [{ type: "diff", path: "/a", newText: "x\n" }],
      locations: [{ path: "/a", line: 0 }],
    });
    agent.update({
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      title: null,
      status: "completed",
      content: null,
      rawOutput: { a: null },
    });
    agent.update({ sessionUpdate: "plan", entries });
    agent.update({
      sessionUpdate: "available_commands_update",
      availableCommands: [
        { name: "n", description: "d", input: { hint: "h" } },
        { name: "m", description: "d", input: null },
      ],
    });
    agent.update({ sessionUpdate: "session_info_update", title: "T" });
    agent.update({ sessionUpdate: "notice", severity: "info", title: "n" });
    agent.update({
      sessionUpdate: "agent_message_chunk",
      messageId: "own",
      content: { type: "resource_link", name: "a", uri: "a b.ts" },
    });
    agent.update(unknown);
    await turn();
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t" };
    expect(client.updates()).toEqual([
      {
        ...update,
        title: "T",
        content: [
          {
            type: "diff",
            changes: [{ operation: "add", path: "/a" }],
            patch: {
              format: "git_patch",
              text: "diff --git /a /a\nnew file mode 100644\n--- /dev/null\n+++ /a\n@@ -0,0 +1,1 @@\n+x\n",
              _meta: { "acp-kit/generated": true },
            },
          },
        ],
        locations: [{ path: "/a", line: 1 }],
      },
      { ...update, status: "completed", rawOutput: { a: null } },
      { sessionUpdate: "plan_update", plan: { type: "items", planId: "main", entries } },
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [
          { type: "command", name: "n", description: "d", input: { type: "text", hint: "h" } },
          { type: "command", name: "m", description: "d" },
        ],
      },
      { sessionUpdate: "session_info_update", title: "T" },
      { sessionUpdate: "notice", severity: "info", title: "n" },
      {
        sessionUpdate: "agent_message_chunk",
        messageId: "own",
        content: { type: "resource_link", name: "a", uri: "file:///a%20b.ts" },
      },
      unknown,
    ]);
  });

  it("report the terminals of the agent, which version 1 has in `_meta`", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const call = { toolCallId: "t", content: [{ type: "terminal", terminalId: "x" }] };
    agent.update({
      sessionUpdate: "tool_call",
      title: "ls",
      ...call,
      _meta: { terminal_info: { terminal_id: "x", cwd: "/work" }, other: 1 },
    });
    agent.update({
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      _meta: { terminal_output: { terminal_id: "x", data: "grün" } },
    });
    agent.update({
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      _meta: { terminal_exit: { terminal_id: "x", exit_code: 1, signal: null } },
    });
    await turn();
    expect(client.updates()).toEqual([
      { sessionUpdate: "terminal_update", terminalId: "x", cwd: "/work" },
      { sessionUpdate: "tool_call_update", title: "ls", ...call, _meta: { other: 1 } },
      { sessionUpdate: "terminal_output_chunk", terminalId: "x", data: Buffer.from("grün").toString("base64") },
      { sessionUpdate: "tool_call_update", toolCallId: "t" },
      { sessionUpdate: "terminal_update", terminalId: "x", exitStatus: { exitCode: 1 } },
      { sessionUpdate: "tool_call_update", toolCallId: "t" },
    ]);
  });
});

describe("a client of version 2: permissions and forms", () => {
  const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];

  it("get a title and the tool call as subject, with `requires_action` around them", async () => {
    const pair = await v2ClientV1Agent();
    const { client, agent } = pair;
    await working(pair);
    client.clear();
    agent.update({ sessionUpdate: "tool_call", toolCallId: "t", title: "ls" });
    const ids = ["t", "u"].map((toolCallId) =>
      agent.request("session/request_permission", {
        sessionId: "s",
        toolCall: { toolCallId, kind: "read", content: null },
        options,
      }),
    );
    await turn();
    const asked = client.received.filter(({ method }) => method === "session/request_permission") as { id: unknown }[];
    expect(asked).toMatchObject([
      {
        params: {
          sessionId: "s",
          title: "ls",
          subject: { type: "tool_call", toolCall: { toolCallId: "t", kind: "read" } },
          options,
        },
      },
      { params: { title: "Permission for a tool call: read" } },
    ]);
    client.respond(asked[0]?.id, { outcome: { outcome: "selected", optionId: "yes" } });
    client.respond(asked[1]?.id, { outcome: { outcome: "_later" } });
    await turn();
    expect(ids.map((id) => agent.response(id)?.result)).toEqual([
      { outcome: { outcome: "selected", optionId: "yes" } },
      { outcome: { outcome: "cancelled" } },
    ]);
    expect(client.updates().filter(({ sessionUpdate }) => sessionUpdate === "state_update")).toEqual([
      state("requires_action"),
      state("running"),
    ]);
  });

  it("versions.no-approval: are never approved by an option that was not offered, or without options", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const toolCall = { toolCallId: "t" };
    const first = agent.request("session/request_permission", { sessionId: "s", toolCall, options });
    const second = agent.request("session/request_permission", { sessionId: "s", toolCall, options: [] });
    await turn();
    client.respond(client.asked("session/request_permission").id, { outcome: { outcome: "selected", optionId: "no" } });
    await turn();
    for (const id of [first, second]) expect(agent.response(id)?.result).toEqual({ outcome: { outcome: "cancelled" } });
  });

  it("forms get the members that version 2 requires, and answers those that version 1 has", async () => {
    const { client, agent, lost } = await v2ClientV1Agent();
    const id = agent.request("elicitation/create", { sessionId: "s", mode: "form", message: "?", requestedSchema: {} });
    await turn();
    const { id: asked, params } = client.asked("elicitation/create");
    expect(params).toMatchObject({ requestedSchema: { type: "object", properties: {} } });
    client.respond(asked, { action: "accept", content: { a: "x", b: { c: 1 } } });
    await turn();
    expect(agent.response(id)?.result).toEqual({ action: "accept", content: { a: "x" } });
    expect(lost()).toEqual(["form"]);
  });

  it("files and terminals of the client do not exist", async () => {
    const { agent, lost } = await v2ClientV1Agent();
    const id = agent.request("terminal/create", { sessionId: "s", command: "ls" });
    await turn();
    expect(agent.response(id)?.error?.code).toBe(-32601);
    expect(lost()).toEqual(["client_methods"]);
  });
});

describe("a client of version 2: modes and options", () => {
  const modes = {
    currentModeId: "ask",
    availableModes: [
      { id: "ask", name: "Ask" },
      { id: "code", name: "Code" },
    ],
  };
  const model = {
    type: "select",
    id: "mode",
    name: "Model",
    category: "model",
    currentValue: "a",
    options: [{ group: "g", name: "G", options: [{ value: "a", name: "A" }] }],
  };

  it("get the modes as an option, and set it", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const id = client.request("session/new", { cwd: "/" });
    await turn();
    agent.respond(id, { sessionId: "n", modes, configOptions: [model] });
    await turn();
    const option = (currentValue: string): object => ({
      type: "select",
      configId: "_acp-kit_mode",
      name: "Mode",
      category: "mode",
      currentValue,
      options: [
        { value: "ask", name: "Ask" },
        { value: "code", name: "Code" },
      ],
    });
    const { id: _, ...select } = model;
    const converted = {
      ...select,
      configId: "mode",
      options: [{ groupId: "g", name: "G", options: [{ value: "a", name: "A" }] }],
    };
    expect(client.response(id)?.result).toEqual({ sessionId: "n", configOptions: [option("ask"), converted] });
    client.clear();

    const set = client.request("session/set_config_option", {
      sessionId: "n",
      configId: "_acp-kit_mode",
      type: "id",
      value: "code",
    });
    await turn();
    expect(agent.asked("session/set_mode").params).toEqual({ sessionId: "n", modeId: "code" });
    agent.respond(set, {});
    agent.update({ sessionUpdate: "current_mode_update", currentModeId: "code" }, "n");
    agent.update({ sessionUpdate: "current_mode_update", currentModeId: "ask" }, "n");
    await turn();
    expect(client.response(set)?.result).toEqual({ configOptions: [option("code"), converted] });
    expect(client.updates("n")).toEqual([
      { sessionUpdate: "config_option_update", configOptions: [option("ask"), converted] },
    ]);

    for (const [params, code] of [
      [{ configId: "_acp-kit_mode", type: "id", value: "odd" }, -32602],
      [{ configId: "mode", type: "_number", value: 1 }, -32602],
    ] as const) {
      const refused = client.request("session/set_config_option", { sessionId: "n", ...params });
      await turn();
      expect(client.response(refused)?.error?.code).toBe(code);
    }
    client.request("session/set_config_option", { sessionId: "n", configId: "mode", type: "id", value: "a" });
    await turn();
    expect(agent.asked("session/set_config_option").params).toEqual({ sessionId: "n", configId: "mode", value: "a" });
  });
});

describe("a client of version 2: sessions", () => {
  const bare = { result: { protocolVersion: 1, agentCapabilities: {} } };

  it("are loaded with their replay, and the state precedes the response", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const id = client.request("session/resume", { sessionId: "r", cwd: "/", replayFrom: { type: "start" } });
    await turn();
    expect(agent.asked("session/load").params).toEqual({ sessionId: "r", cwd: "/", mcpServers: [] });
    agent.update({ sessionUpdate: "user_message_chunk", content: text("old") }, "r");
    agent.respond(id, {});
    await turn();
    expect(client.received).toMatchObject([
      { params: { update: { sessionUpdate: "user_message_chunk", content: text("old") } } },
      { params: { update: state("idle") } },
      { id, result: {} },
    ]);
    const odd = client.request("session/resume", { sessionId: "r", cwd: "/", replayFrom: { type: "_cursor", at: 5 } });
    await turn();
    expect(client.response(odd)?.error?.code).toBe(-32602);
  });

  it("of an agent that only loads are resumed without the replay", async () => {
    const { client, agent } = await v2ClientV1Agent(
      {},
      { result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
    );
    const id = client.request("session/resume", { sessionId: "r", cwd: "/" });
    await turn();
    agent.update({ sessionUpdate: "user_message_chunk", content: text("old") }, "r");
    agent.respond(agent.asked("session/load").id, {});
    agent.update({ sessionUpdate: "agent_message_chunk", content: text("new") }, "r");
    await turn();
    expect(client.received).toMatchObject([
      { params: { update: state("idle") } },
      { id, result: {} },
      { params: { update: { content: text("new") } } },
    ]);
  });

  it("of an agent that neither lists, resumes nor closes work as far as this connection knows them", async () => {
    const pair = await v2ClientV1Agent({}, bare);
    const { client, agent } = pair;
    const list = client.request("session/list", { cwd: "/work" });
    const other = client.request("session/list", { cwd: "/" });
    const unknown = client.request("session/resume", { sessionId: "r", cwd: "/" });
    const known = client.request("session/resume", { sessionId: "s", cwd: "/work" });
    const replay = client.request("session/resume", { sessionId: "s", cwd: "/work", replayFrom: { type: "start" } });
    const remove = client.request("session/delete", { sessionId: "s" });
    await turn();
    expect(client.response(list)?.result).toEqual({ sessions: [{ sessionId: "s", cwd: "/work" }] });
    expect(client.response(other)?.result).toEqual({ sessions: [] });
    expect(client.response(unknown)?.error).toMatchObject({ code: -32002, data: { sessionId: "r" } });
    expect(client.response(known)?.result).toEqual({});
    expect(client.response(replay)?.error?.code).toBe(-32602);
    expect(client.response(remove)?.error?.code).toBe(-32601);

    await working(pair);
    client.clear();
    const close = client.request("session/close", { sessionId: "s" });
    await turn();
    expect(client.response(close)).toBeUndefined();
    agent.update({ sessionUpdate: "agent_message_chunk", content: text("last") });
    agent.respond(agent.asked("session/prompt").id, { stopReason: "cancelled" });
    agent.update({ sessionUpdate: "agent_message_chunk", content: text("too late") });
    await turn();
    expect(client.received).toMatchObject([
      { params: { update: { content: text("last") } } },
      { params: { update: state("idle", { stopReason: "cancelled" }) } },
      { id: close, result: {} },
    ]);
  });

  it("get the id of the session with the error -32002", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const id = client.request("session/resume", { sessionId: "r", cwd: "/" });
    await turn();
    agent.fail(id, -32002, "no such session");
    await turn();
    expect(client.response(id)?.error).toEqual({ code: -32002, message: "no such session", data: { sessionId: "r" } });
  });

  it("have the params of version 1: MCP servers without type, and with all lists", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const mcpServers = [
      { type: "stdio", name: "m", command: "/m" },
      { type: "http", name: "h", url: "https://h" },
    ];
    client.request("session/new", { cwd: "/", mcpServers });
    const refused = client.request("session/new", { cwd: "/", mcpServers: [{ type: "_ws", name: "w" }] });
    await turn();
    expect(agent.asked("session/new").params).toEqual({
      cwd: "/",
      mcpServers: [
        { name: "m", command: "/m", args: [], env: [] },
        { type: "http", name: "h", url: "https://h", headers: [] },
      ],
    });
    expect(client.response(refused)?.error?.code).toBe(-32602);
  });
});

describe("a client of version 2: other requests", () => {
  it("log in and out as in version 1", async () => {
    const authMethods = [
      { id: "agent", name: "A" },
      { type: "terminal", id: "tty", name: "T", env: { A: "1" } },
    ];
    const { client, agent, lost } = await v2ClientV1Agent({}, { result: { ...v1Result, authMethods } });
    client.request("auth/login", { methodId: "agent" });
    const terminal = client.request("auth/login", { methodId: "tty" });
    const logout = client.request("auth/logout", {});
    await turn();
    expect(agent.received).toMatchObject([{ method: "authenticate", params: { methodId: "agent" } }]);
    expect(client.response(terminal)?.error?.code).toBe(-32602);
    expect(client.response(logout)?.error?.code).toBe(-32603);
    expect(lost()).toEqual(["logout"]);
  });

  it("that version 1 does not have, or that have the id null, are refused", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const cancel = client.request("tool_call/cancel", { sessionId: "s", toolCallId: "t" });
    const terminal = client.request("terminal/cancel", { sessionId: "s", terminalId: "t" });
    const load = client.request("session/load", { sessionId: "s", cwd: "/", mcpServers: [] });
    client.request("session/list", {}, null);
    await turn();
    expect([cancel, terminal, load, null].map((id) => client.response(id)?.error?.code)).toEqual([
      -32602, -32602, -32601, -32600,
    ]);
    expect(agent.received).toEqual([]);
  });
});
