import { describe, expect, it, vi } from "vitest";
import { type Bridged, text, turn, v1Result, v2ClientV1Agent } from "../../test/bridged.js";
import { sendUpdate, updatesOf } from "../../test/peers.js";

const state = (name: string, more: object = {}): object => ({ sessionUpdate: "state_update", state: name, ...more });

async function working(pair: Bridged, content = "hi"): Promise<unknown> {
  const id = pair.client.request("session/prompt", { sessionId: "s", prompt: [text(content)] }).id;
  await turn();
  return id;
}

describe("a client of version 2: turns", () => {
  it("report the user message, the work, and the insertion; then the updates and the end", async () => {
    const pair = await v2ClientV1Agent();
    const { client, agent } = pair;
    const id = await working(pair);
    const messageId = (client.responseTo(id)?.result as { messageId: string } | undefined)?.messageId;
    expect(client.receivedSoFar()).toMatchObject([
      { params: { update: { sessionUpdate: "user_message", messageId, content: [text("hi")] } } },
      { params: { update: state("running") } },
      { id, result: { messageId } },
    ]);
    client.forget();
    sendUpdate(agent, { sessionUpdate: "user_message_chunk", content: text("h") });
    sendUpdate(agent, { sessionUpdate: "user_message_chunk", content: text("i") });
    sendUpdate(agent, { sessionUpdate: "agent_message_chunk", content: text("Hel") });
    sendUpdate(agent, { sessionUpdate: "agent_message_chunk", content: text("lo") });
    sendUpdate(agent, { sessionUpdate: "agent_thought_chunk", content: text("?") });
    sendUpdate(agent, { sessionUpdate: "agent_message_chunk", content: text("!") });
    agent.respond(agent.lastReceived("session/prompt").id, {
      stopReason: "refusal",
      usage: { totalTokens: 1 },
      _meta: { a: 1 },
    });
    await turn();
    const updates = updatesOf(client) as { messageId: string; content: { text: string } }[];
    expect(updates.map(({ content }) => content?.text)).toEqual(["Hel", "lo", "?", "!", undefined]);
    expect(updates[0]?.messageId).toBe(updates[1]?.messageId);
    expect(new Set(updates.slice(0, 4).map((update) => update.messageId)).size).toBe(3);
    expect(client.receivedSoFar().at(-1)).toMatchObject({
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
    expect(agent.receivedSoFar()).toHaveLength(1);
    client.notify("$/cancel_request", { requestId: third });
    await turn();
    expect(client.responseTo(third)?.error?.code).toBe(-32800);
    agent.respond(agent.lastReceived("session/prompt").id, { stopReason: "end_turn" });
    await turn();
    expect(client.responseTo(second)?.result).toHaveProperty("messageId");
    expect(agent.lastReceived("session/prompt").params).toMatchObject({ prompt: [text("two")] });
    client.notify("session/cancel", { sessionId: "s" });
    await turn();
    expect(client.responseTo(fourth)?.error?.code).toBe(-32800);
    expect(agent.receivedSoFar().at(-1)).toMatchObject({ method: "session/cancel" });
    agent.refuse(agent.lastReceived("session/prompt").id, -32603, "aborted");
    await turn();
    expect(updatesOf(client).filter(({ state: name }) => name === "idle")).toEqual([
      state("idle", { stopReason: "end_turn" }),
      state("idle", { stopReason: "cancelled" }),
    ]);
  });

  it("end with the agent's error", async () => {
    const pair = await v2ClientV1Agent();
    await working(pair);
    pair.agent.refuse(pair.agent.lastReceived("session/prompt").id, -32000, "log in", { a: 1 });
    await turn();
    const error = { code: -32000, message: "log in", data: { a: 1 } };
    expect(updatesOf(pair.client).at(-1)).toEqual(state("idle", { stopReason: "error", error }));
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
      expect(updatesOf(client).at(-1)).toEqual(state("idle", { stopReason: "cancelled" }));
      expect(client.responseTo(next)).toBeUndefined();
      agent.respond(agent.lastReceived("session/prompt").id, { stopReason: "cancelled" });
      await turn();
      expect(client.responseTo(next)?.result).toHaveProperty("messageId");
      expect(updatesOf(client).filter(({ state: name }) => name === "idle")).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("refuse content that version 1 does not have", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const id = client.request("session/prompt", { sessionId: "s", prompt: [{ type: "_map" }] }).id;
    await turn();
    expect(client.responseTo(id)?.error?.code).toBe(-32602);
    expect(agent.receivedSoFar()).toEqual([]);
  });
});

describe("a client of version 2: updates", () => {
  it("V2-REQ-26: have the names, tags and members of version 2, and unknown ones stay", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const entries = [{ content: "c", priority: "high", status: "pending" }];
    const unknown = { sessionUpdate: "_vendor/update", more: [1] };
    sendUpdate(agent, {
      sessionUpdate: "tool_call",
      toolCallId: "t",
      title: "T",
      content: [{ type: "diff", path: "/a", newText: "x\n" }],
      locations: [{ path: "/a", line: 0 }],
    });
    sendUpdate(agent, {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      title: null,
      status: "completed",
      content: null,
      rawOutput: { a: null },
    });
    sendUpdate(agent, { sessionUpdate: "plan", entries });
    sendUpdate(agent, {
      sessionUpdate: "available_commands_update",
      availableCommands: [
        { name: "n", description: "d", input: { hint: "h" } },
        { name: "m", description: "d", input: null },
      ],
    });
    sendUpdate(agent, { sessionUpdate: "session_info_update", title: "T" });
    sendUpdate(agent, { sessionUpdate: "notice", severity: "info", title: "n" });
    sendUpdate(agent, {
      sessionUpdate: "agent_message_chunk",
      messageId: "own",
      content: { type: "resource_link", name: "a", uri: "a b.ts" },
    });
    sendUpdate(agent, unknown);
    await turn();
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t" };
    expect(updatesOf(client)).toEqual([
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
    sendUpdate(agent, {
      sessionUpdate: "tool_call",
      title: "ls",
      ...call,
      _meta: { terminal_info: { terminal_id: "x", cwd: "/work" }, other: 1 },
    });
    sendUpdate(agent, {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      _meta: { terminal_output: { terminal_id: "x", data: "grün" } },
    });
    sendUpdate(agent, {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      _meta: { terminal_exit: { terminal_id: "x", exit_code: 1, signal: null } },
    });
    await turn();
    expect(updatesOf(client)).toEqual([
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
    client.forget();
    sendUpdate(agent, { sessionUpdate: "tool_call", toolCallId: "t", title: "ls" });
    const ids = ["t", "u"].map(
      (toolCallId) =>
        agent.request("session/request_permission", {
          sessionId: "s",
          toolCall: { toolCallId, kind: "read", content: null },
          options,
        }).id,
    );
    await turn();
    const asked = client.receivedSoFar().filter(({ method }) => method === "session/request_permission") as {
      id: unknown;
    }[];
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
    client.respond(asked[0] as never, { outcome: { outcome: "selected", optionId: "yes" } });
    client.respond(asked[1] as never, { outcome: { outcome: "_later" } });
    await turn();
    expect(ids.map((id) => agent.responseTo(id)?.result)).toEqual([
      { outcome: { outcome: "selected", optionId: "yes" } },
      { outcome: { outcome: "cancelled" } },
    ]);
    expect(updatesOf(client).filter(({ sessionUpdate }) => sessionUpdate === "state_update")).toEqual([
      state("requires_action"),
      state("running"),
    ]);
  });

  it("versions.no-approval: are never approved by an option that was not offered, or without options", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const toolCall = { toolCallId: "t" };
    const first = agent.request("session/request_permission", { sessionId: "s", toolCall, options }).id;
    const second = agent.request("session/request_permission", { sessionId: "s", toolCall, options: [] }).id;
    await turn();
    client.respond(client.lastReceived("session/request_permission").id, {
      outcome: { outcome: "selected", optionId: "no" },
    });
    await turn();
    for (const id of [first, second])
      expect(agent.responseTo(id)?.result).toEqual({ outcome: { outcome: "cancelled" } });
  });

  it("forms get the members that version 2 requires, and answers those that version 1 has", async () => {
    const { client, agent, lost } = await v2ClientV1Agent();
    const id = agent.request("elicitation/create", {
      sessionId: "s",
      mode: "form",
      message: "?",
      requestedSchema: {},
    }).id;
    await turn();
    const { id: asked, params } = client.lastReceived("elicitation/create");
    expect(params).toMatchObject({ requestedSchema: { type: "object", properties: {} } });
    client.respond(asked, { action: "accept", content: { a: "x", b: { c: 1 } } });
    await turn();
    expect(agent.responseTo(id)?.result).toEqual({ action: "accept", content: { a: "x" } });
    expect(lost()).toEqual(["form"]);
  });

  it("files and terminals of the client do not exist", async () => {
    const { agent, lost } = await v2ClientV1Agent();
    const id = agent.request("terminal/create", { sessionId: "s", command: "ls" }).id;
    await turn();
    expect(agent.responseTo(id)?.error?.code).toBe(-32601);
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
    const id = client.request("session/new", { cwd: "/" }).id;
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
    expect(client.responseTo(id)?.result).toEqual({ sessionId: "n", configOptions: [option("ask"), converted] });
    client.forget();

    const set = client.request("session/set_config_option", {
      sessionId: "n",
      configId: "_acp-kit_mode",
      type: "id",
      value: "code",
    }).id;
    await turn();
    expect(agent.lastReceived("session/set_mode").params).toEqual({ sessionId: "n", modeId: "code" });
    agent.respond(set, {});
    sendUpdate(agent, { sessionUpdate: "current_mode_update", currentModeId: "code" }, "n");
    sendUpdate(agent, { sessionUpdate: "current_mode_update", currentModeId: "ask" }, "n");
    await turn();
    expect(client.responseTo(set)?.result).toEqual({ configOptions: [option("code"), converted] });
    expect(updatesOf(client, "n")).toEqual([
      { sessionUpdate: "config_option_update", configOptions: [option("ask"), converted] },
    ]);

    for (const [params, code] of [
      [{ configId: "_acp-kit_mode", type: "id", value: "odd" }, -32602],
      [{ configId: "mode", type: "_number", value: 1 }, -32602],
    ] as const) {
      const refused = client.request("session/set_config_option", { sessionId: "n", ...params }).id;
      await turn();
      expect(client.responseTo(refused)?.error?.code).toBe(code);
    }
    client.request("session/set_config_option", { sessionId: "n", configId: "mode", type: "id", value: "a" });
    await turn();
    expect(agent.lastReceived("session/set_config_option").params).toEqual({
      sessionId: "n",
      configId: "mode",
      value: "a",
    });
  });
});

describe("a client of version 2: sessions", () => {
  const bare = { result: { protocolVersion: 1, agentCapabilities: {} } };

  it("are loaded with their replay, and the state precedes the response", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const id = client.request("session/resume", { sessionId: "r", cwd: "/", replayFrom: { type: "start" } }).id;
    await turn();
    expect(agent.lastReceived("session/load").params).toEqual({ sessionId: "r", cwd: "/", mcpServers: [] });
    sendUpdate(agent, { sessionUpdate: "user_message_chunk", content: text("old") }, "r");
    agent.respond(id, {});
    await turn();
    expect(client.receivedSoFar()).toMatchObject([
      { params: { update: { sessionUpdate: "user_message_chunk", content: text("old") } } },
      { params: { update: state("idle") } },
      { id, result: {} },
    ]);
    const odd = client.request("session/resume", {
      sessionId: "r",
      cwd: "/",
      replayFrom: { type: "_cursor", at: 5 },
    }).id;
    await turn();
    expect(client.responseTo(odd)?.error?.code).toBe(-32602);
  });

  it("of an agent that only loads are resumed without the replay", async () => {
    const { client, agent } = await v2ClientV1Agent(
      {},
      { result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
    );
    const id = client.request("session/resume", { sessionId: "r", cwd: "/" }).id;
    await turn();
    sendUpdate(agent, { sessionUpdate: "user_message_chunk", content: text("old") }, "r");
    agent.respond(agent.lastReceived("session/load").id, {});
    sendUpdate(agent, { sessionUpdate: "agent_message_chunk", content: text("new") }, "r");
    await turn();
    expect(client.receivedSoFar()).toMatchObject([
      { params: { update: state("idle") } },
      { id, result: {} },
      { params: { update: { content: text("new") } } },
    ]);
  });

  it("of an agent that neither lists, resumes nor closes work as far as this connection knows them", async () => {
    const pair = await v2ClientV1Agent({}, bare);
    const { client, agent } = pair;
    const list = client.request("session/list", { cwd: "/work" }).id;
    const other = client.request("session/list", { cwd: "/" }).id;
    const unknown = client.request("session/resume", { sessionId: "r", cwd: "/" }).id;
    const known = client.request("session/resume", { sessionId: "s", cwd: "/work" }).id;
    const replay = client.request("session/resume", { sessionId: "s", cwd: "/work", replayFrom: { type: "start" } }).id;
    const remove = client.request("session/delete", { sessionId: "s" }).id;
    await turn();
    expect(client.responseTo(list)?.result).toEqual({ sessions: [{ sessionId: "s", cwd: "/work" }] });
    expect(client.responseTo(other)?.result).toEqual({ sessions: [] });
    expect(client.responseTo(unknown)?.error).toMatchObject({ code: -32002, data: { sessionId: "r" } });
    expect(client.responseTo(known)?.result).toEqual({});
    expect(client.responseTo(replay)?.error?.code).toBe(-32602);
    expect(client.responseTo(remove)?.error?.code).toBe(-32601);

    await working(pair);
    client.forget();
    const close = client.request("session/close", { sessionId: "s" }).id;
    await turn();
    expect(client.responseTo(close)).toBeUndefined();
    sendUpdate(agent, { sessionUpdate: "agent_message_chunk", content: text("last") });
    agent.respond(agent.lastReceived("session/prompt").id, { stopReason: "cancelled" });
    sendUpdate(agent, { sessionUpdate: "agent_message_chunk", content: text("too late") });
    await turn();
    expect(client.receivedSoFar()).toMatchObject([
      { params: { update: { content: text("last") } } },
      { params: { update: state("idle", { stopReason: "cancelled" }) } },
      { id: close, result: {} },
    ]);
  });

  it("get the id of the session with the error -32002", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const id = client.request("session/resume", { sessionId: "r", cwd: "/" }).id;
    await turn();
    agent.refuse(id, -32002, "no such session");
    await turn();
    expect(client.responseTo(id)?.error).toEqual({
      code: -32002,
      message: "no such session",
      data: { sessionId: "r" },
    });
  });

  it("have the params of version 1: MCP servers without type, and with all lists", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const mcpServers = [
      { type: "stdio", name: "m", command: "/m" },
      { type: "http", name: "h", url: "https://h" },
    ];
    client.request("session/new", { cwd: "/", mcpServers });
    const refused = client.request("session/new", { cwd: "/", mcpServers: [{ type: "_ws", name: "w" }] }).id;
    await turn();
    expect(agent.lastReceived("session/new").params).toEqual({
      cwd: "/",
      mcpServers: [
        { name: "m", command: "/m", args: [], env: [] },
        { type: "http", name: "h", url: "https://h", headers: [] },
      ],
    });
    expect(client.responseTo(refused)?.error?.code).toBe(-32602);
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
    const terminal = client.request("auth/login", { methodId: "tty" }).id;
    const logout = client.request("auth/logout", {}).id;
    await turn();
    expect(agent.receivedSoFar()).toMatchObject([{ method: "authenticate", params: { methodId: "agent" } }]);
    expect(client.responseTo(terminal)?.error?.code).toBe(-32602);
    expect(client.responseTo(logout)?.error?.code).toBe(-32603);
    expect(lost()).toEqual(["logout"]);
  });

  it("that version 1 does not have, or that have the id null, are refused", async () => {
    const { client, agent } = await v2ClientV1Agent();
    const cancel = client.request("tool_call/cancel", { sessionId: "s", toolCallId: "t" }).id;
    const terminal = client.request("terminal/cancel", { sessionId: "s", terminalId: "t" }).id;
    const load = client.request("session/load", { sessionId: "s", cwd: "/", mcpServers: [] }).id;
    client.request("session/list", {}, { id: null });
    await turn();
    expect([cancel, terminal, load, null].map((id) => client.responseTo(id)?.error?.code)).toEqual([
      -32602, -32602, -32601, -32600,
    ]);
    expect(agent.receivedSoFar()).toEqual([]);
  });
});
