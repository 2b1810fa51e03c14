import { deferred } from "@acp-kit/protocol/internal";
import { describe, expect, test } from "vitest";
import { turn as tick } from "../../test/bridged.js";
import { updatesOf } from "../../test/peers.js";
import { connectV2, v2AgentSession } from "../../test/v2-agent.js";

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};
const model = {
  id: "model",
  name: "Model",
  type: "select" as const,
  currentValue: "a",
  options: [
    { value: "a", name: "A" },
    { value: "b", name: "B" },
  ],
};

describe("V2-REQ-25: the smallest agent", () => {
  test("lists, resumes and closes the sessions of the connection", async () => {
    const agent = await v2AgentSession();
    const { client } = agent;
    const list = client.request("session/list", {}).id;
    const filtered = client.request("session/list", { cwd: "/other" }).id;
    const resume = client.request("session/resume", { sessionId: "s", cwd: "/work", replayFrom: { type: "start" } }).id;
    const unknown = client.request("session/resume", { sessionId: "x", cwd: "/work" }).id;
    const remove = client.request("session/delete", { sessionId: "s" }).id;
    await tick();
    expect(client.responseTo(list)?.result).toEqual({ sessions: [{ sessionId: "s", cwd: "/work" }] });
    expect(client.responseTo(filtered)?.result).toEqual({ sessions: [] });
    expect(client.responseTo(resume)?.result).toEqual({});
    expect(client.responseTo(unknown)?.error).toMatchObject({ code: -32002, data: { sessionId: "x" } });
    expect(client.responseTo(remove)?.error).toMatchObject({ code: -32601 });
    const close = client.request("session/close", { sessionId: "s" }).id;
    await tick();
    await tick();
    expect(client.responseTo(close)?.result).toEqual({});
    const after = client.request("session/list", {}).id;
    await tick();
    expect(client.responseTo(after)?.result).toEqual({ sessions: [] });
  });

  test("refuses the methods that only version 1 has", async () => {
    const agent = await v2AgentSession({
      definition: {
        loadSession: () => ({}),
        setSessionMode: () => {},
        authMethods: [{ id: "a", name: "A" }],
        authenticate: () => {},
        logout: () => {},
      },
    });
    for (const method of ["session/load", "session/set_mode", "authenticate", "logout"]) {
      const id = agent.client.request(method, {
        sessionId: "s",
        cwd: "/",
        mcpServers: [],
        modeId: "a",
        methodId: "a",
      }).id;
      await tick();
      expect(agent.client.responseTo(id)?.error).toMatchObject({ code: -32601 });
    }
  });
});

describe("V2-REQ-12: resuming a session", () => {
  const history = {
    loadSession: async ({ sessionId }: { sessionId: string }, { session }: { session: (id: string) => never }) => {
      const handle = session(sessionId) as { userMessage(text: string): void; message(text: string): void };
      handle.userMessage("question");
      handle.message("answer ");
      handle.message("in two chunks");
      return { configOptions: [model] };
    },
  };

  test("with a replay: the history with message ids, the state, the response", async () => {
    const agent = connectV2({ definition: history as never });
    agent.client.request("initialize", { protocolVersion: 2, info: { name: "c", version: "1" } });
    const id = agent.client.request("session/resume", {
      sessionId: "s",
      cwd: "/work",
      replayFrom: { type: "start" },
    }).id;
    await agent.until("idle");
    await tick();
    expect(agent.log().slice(1, -1)).toEqual([
      "user_message_chunk question",
      "agent_message_chunk answer ",
      "agent_message_chunk in two chunks",
      "idle",
    ]);
    const [question, first, second] = updatesOf(agent.client).map(({ messageId }) => messageId);
    expect(first).toBe(second);
    expect(new Set([question, first, undefined]).size).toBe(3);
    expect(agent.states()).toEqual([{ sessionUpdate: "state_update", state: "idle", background: [] }]);
    expect(agent.client.responseTo(id)?.result).toMatchObject({ configOptions: [{ configId: "model" }] });
  });

  test("without a cursor: no history, also if the agent can only load", async () => {
    const agent = connectV2({ definition: history as never });
    agent.client.request("initialize", { protocolVersion: 2, info: { name: "c", version: "1" } });
    const id = agent.client.request("session/resume", { sessionId: "s", cwd: "/work" }).id;
    await agent.until("idle");
    await tick();
    expect(agent.log().slice(1, -1)).toEqual(["idle"]);
    expect(agent.client.responseTo(id)?.result).toMatchObject({ configOptions: [{ configId: "model" }] });
    await agent.connection.session("s").message("later");
    await tick();
    expect(agent.log().at(-1)).toBe("agent_message_chunk later");
  });

  test("an unknown cursor gets -32602, and a failed load is forgotten", async () => {
    const agent = await v2AgentSession({
      definition: {
        loadSession: () => {
          throw new Error("broken");
        },
      },
    });
    const cursor = agent.client.request("session/resume", {
      sessionId: "s",
      cwd: "/work",
      replayFrom: { type: "x" },
    }).id;
    const load = agent.client.request("session/resume", {
      sessionId: "x",
      cwd: "/work",
      replayFrom: { type: "start" },
    }).id;
    await tick();
    expect(agent.client.responseTo(cursor)?.error).toMatchObject({ code: -32602 });
    expect(agent.client.responseTo(load)?.error).toMatchObject({ code: -32603 });
    const prompt = agent.client.request("session/prompt", {
      sessionId: "x",
      prompt: [{ type: "text", text: "hi" }],
    }).id;
    await tick();
    expect(agent.client.responseTo(prompt)?.error).toMatchObject({ code: -32002 });
  });

  test("a running work is reported, and its end follows", async () => {
    const gate = deferred<void>();
    const agent = await v2AgentSession({
      definition: { prompt: async () => gate.promise, resumeSession: () => ({}) },
    });
    agent.prompt("hi");
    await tick();
    agent.client.forget();
    const id = agent.client.request("session/resume", { sessionId: "s", cwd: "/work" }).id;
    await tick();
    expect(agent.log()).toEqual(["running", `response ${id} {}`]);
    gate.resolve();
    await tick();
    expect(agent.log().at(-1)).toBe("idle end_turn");
  });
});

describe("V2-REQ-22: settings and logins", () => {
  test("modes are an option, which the client sets", async () => {
    const set: string[] = [];
    const agent = connectV2({
      definition: {
        newSession: () => ({ sessionId: "s", modes, configOptions: [{ ...model, id: "mode" }] }),
        setSessionMode: ({ modeId }) => void set.push(modeId),
        setSessionConfigOption: () => {},
      },
    });
    agent.client.request("initialize", { protocolVersion: 2, info: { name: "c", version: "1" } });
    const created = agent.client.request("session/new", { cwd: "/work" }).id;
    await tick();
    const derived = { configId: "_acp-kit_mode", category: "mode", currentValue: "ask" };
    expect(agent.client.responseTo(created)?.result).toMatchObject({ configOptions: [derived, { configId: "mode" }] });
    const option = (params: object): unknown =>
      agent.client.request("session/set_config_option", { sessionId: "s", type: "id", ...params }).id;
    const mode = option({ configId: "_acp-kit_mode", value: "code" });
    const other = option({ configId: "mode", value: "b" });
    await tick();
    expect(set).toEqual(["code"]);
    expect(agent.client.responseTo(mode)?.result).toMatchObject({ configOptions: [{ currentValue: "code" }, {}] });
    expect(agent.client.responseTo(other)?.result).toMatchObject({ configOptions: [{}, { currentValue: "b" }] });
    const wrong = [
      option({ configId: "_acp-kit_mode", value: "none" }),
      option({ configId: "mode", value: "none" }),
      option({ configId: "none", value: "a" }),
      option({ configId: "mode", value: "a", type: "_custom" }),
    ];
    await tick();
    for (const id of wrong) expect(agent.client.responseTo(id)?.error).toMatchObject({ code: -32602 });
    agent.client.forget();
    await agent.connection.session("s").mode("ask");
    await agent.connection.session("s").mode("ask");
    await tick();
    expect(updatesOf(agent.client)).toMatchObject([
      { sessionUpdate: "config_option_update", configOptions: [{ currentValue: "ask" }, { currentValue: "b" }] },
    ]);
  });

  test("auth/login and auth/logout call the handlers of the agent; only with login methods", async () => {
    const called: string[] = [];
    const agent = await v2AgentSession({
      definition: {
        authMethods: [
          { id: "a", name: "A" },
          { id: "t", name: "T", type: "terminal", args: [] },
        ],
        authenticate: ({ methodId }) => void called.push(methodId),
        logout: () => void called.push("logout"),
      },
      initialize: { capabilities: { auth: { terminal: {} } } },
    });
    const login = agent.client.request("auth/login", { methodId: "a" }).id;
    const terminal = agent.client.request("auth/login", { methodId: "t" }).id;
    const logout = agent.client.request("auth/logout", {}).id;
    await tick();
    expect(called).toEqual(["a", "logout"]);
    expect(agent.client.responseTo(login)?.result).toEqual({});
    expect(agent.client.responseTo(terminal)?.error).toMatchObject({ code: -32602 });
    expect(agent.client.responseTo(logout)?.result).toEqual({});
    const without = await v2AgentSession();
    const refused = without.client.request("auth/login", { methodId: "a" }).id;
    await tick();
    expect(without.client.responseTo(refused)?.error).toMatchObject({ code: -32601 });
  });
});

test("V2-REQ-23: MCP servers: only advertised transports, unique names, no sse", async () => {
  const received: unknown[] = [];
  const agent = await v2AgentSession({
    definition: {
      newSession: ({ mcpServers }) => {
        received.push(mcpServers);
        return { sessionId: `s${received.length}` };
      },
      mcpTransports: { http: true },
    },
  });
  const open = (...mcpServers: object[]): unknown =>
    agent.client.request("session/new", { cwd: "/work", mcpServers }).id;
  const stdio = { type: "stdio", name: "a", command: "/bin/a" };
  const http = { type: "http", name: "b", url: "https://example.com/mcp" };
  const opened = open(stdio, http);
  const refused = [
    open({ ...http, type: "sse" }),
    open(stdio, { ...http, name: "a" }),
    open({ type: "_x", name: "x" }),
  ];
  await tick();
  expect(agent.client.responseTo(opened)).toHaveProperty("result.sessionId");
  expect(received.at(-1)).toEqual([
    { name: "a", command: "/bin/a", args: [], env: [] },
    { ...http, headers: [] },
  ]);
  for (const id of refused) expect(agent.client.responseTo(id)?.error).toMatchObject({ code: -32602 });
});
