import { Log } from "@acp-kit/promises-tests/log";
import { describe, expect, it } from "vitest";
import { everything, form, history, modes, page } from "./peers/script.js";
import { connectSdk0, connectSdk2, connectSdk2Over, type Handlers, type SdkClient } from "./peers/sdk-client.js";

const clients = [
  { name: "@agentclientprotocol/sdk 2.4.0", connect: connectSdk2, newest: true },
  {
    name: "@agentclientprotocol/sdk 2.4.0, over streamable HTTP",
    connect: connectSdk2Over("streamable HTTP"),
    newest: true,
  },
  { name: "@agentclientprotocol/sdk 2.4.0, over WebSocket", connect: connectSdk2Over("WebSocket"), newest: true },
  { name: "@agentclientprotocol/sdk 0.14.1", connect: connectSdk0, newest: false },
];

interface Update {
  readonly sessionId: string;
  readonly update: { readonly sessionUpdate: string; readonly content?: { readonly text?: string } };
}

const clientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  elicitation: { form: {}, url: {} },
};

/** A connected client with a session, and the updates that it receives. */
async function open(
  connect: (handlers: Handlers) => Promise<SdkClient>,
  handlers: Handlers = {},
  capabilities: object = clientCapabilities,
): Promise<
  {
    client: SdkClient;
    updates: Log<Update>;
    prompt: (text: string) => Promise<unknown>;
    said: () => string;
  } & AsyncDisposable
> {
  const updates = new Log<Update>();
  const client = await connect({ "session/update": updates.push, ...handlers });
  await client.call("initialize", { protocolVersion: 1, clientCapabilities: capabilities });
  await client.call("session/new", { cwd: "/work", mcpServers: [] });
  return {
    client,
    updates,
    prompt: (text) => client.call("session/prompt", { sessionId: "s1", prompt: [{ type: "text", text }] }),
    said: () =>
      updates.items
        .filter(({ update }) => update.sessionUpdate === "agent_message_chunk")
        .map(({ update }) => update.content?.text)
        .join("|"),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

describe.each(clients)("our agent and a client on $name", ({ connect, newest }) => {
  it("agree on a version and exchange capabilities", async () => {
    await using client = await connect({});
    expect(await client.call("initialize", { protocolVersion: 1 })).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "kit" },
      agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {} } },
      authMethods: [{ id: "token" }],
    });
    expect(await client.call("authenticate", { methodId: "token" })).toEqual({});
    if (newest) expect(await client.call("logout", {})).toEqual({});
  });

  it("run a turn with updates of every kind, which arrive unchanged", async () => {
    await using agent = await open(connect);
    expect(await agent.prompt("everything")).toEqual({ stopReason: "end_turn" });
    expect(agent.updates.items.map(({ update }) => update)).toEqual(everything);
  });

  it("run 300 turns, and every update arrives before the response", async () => {
    await using agent = await open(connect);
    for (let n = 1; n <= 300; n += 1) {
      await agent.prompt(`say ${n}`);
      expect(agent.updates.items).toHaveLength(n);
    }
  });

  it.each([
    [{ outcome: { outcome: "selected", optionId: "yes" } }, "yes"],
    [{ outcome: { outcome: "cancelled" } }, "cancelled"],
  ])("exchange a permission request with the outcome: %j", async (answer, said) => {
    const asked: unknown[] = [];
    await using agent = await open(connect, {
      "session/request_permission": (params) => {
        asked.push(params);
        return answer;
      },
    });
    expect(await agent.prompt("ask")).toEqual({ stopReason: "end_turn" });
    expect(agent.said()).toBe(said);
    expect(asked).toMatchObject([{ sessionId: "s1", toolCall: { toolCallId: "ask" }, options: [{}, {}] }]);
  });

  it("read and write files", async () => {
    await using agent = await open(connect, {
      "fs/read_text_file": ({ path, line }: { path: string; line: number }) => ({ content: `${path}:${line}` }),
      "fs/write_text_file": ({ content }: { content: string }) => void expect(content).toBe("some words"),
    });
    await agent.prompt("read /work/a.ts");
    await agent.prompt("write /work/b.ts some words");
    expect(agent.said()).toBe("/work/a.ts:2|written");
  });

  it("run a command in a terminal", async () => {
    const calls: string[] = [];
    const called = (name: string, result?: object) => () => {
      calls.push(name);
      return result;
    };
    await using agent = await open(connect, {
      "terminal/create": called("create", { terminalId: "terminal-1" }),
      "terminal/output": called("output", { output: "ok\n", truncated: false }),
      "terminal/wait_for_exit": called("wait", { exitCode: 3 }),
      "terminal/kill": called("kill"),
      "terminal/release": called("release"),
    });
    await agent.prompt("run echo a b");
    expect(agent.said()).toBe("3: ok\n");
    expect(calls).toEqual(["create", "wait", "output", "kill", "release"]);
  });

  it("exchange no request that the client does not support", async () => {
    const asked: string[] = [];
    const handlers = Object.fromEntries(
      ["fs/read_text_file", "terminal/create"].map((method) => [method, () => void asked.push(method)]),
    );
    await using agent = await open(connect, handlers, {});
    await expect(agent.prompt("read /work/a.ts")).rejects.toMatchObject({ code: -32603 });
    await expect(agent.prompt("run ls")).rejects.toMatchObject({ code: -32603 });
    expect(asked).toEqual([]);
  });

  it("cancel a turn, and a permission request in it", async () => {
    await using agent = await open(connect, {
      "session/request_permission": () => ({ outcome: { outcome: "cancelled" } }),
    });
    const answer = agent.prompt("wait");
    await agent.updates.count(1);
    await agent.client.notify("session/cancel", { sessionId: "s1" });
    expect(await answer).toEqual({ stopReason: "cancelled" });
    expect(agent.said()).toBe("waiting|stopped");
    expect(await agent.prompt("say on")).toEqual({ stopReason: "end_turn" });
  });

  it("queue overlapping prompts, and run two sessions concurrently", async () => {
    await using agent = await open(connect);
    await agent.client.call("session/new", { cwd: "/work", mcpServers: [] });
    const waiting = agent.prompt("wait");
    const second = agent.client.call("session/prompt", {
      sessionId: "s2",
      prompt: [{ type: "text", text: "say meanwhile" }],
    });
    const queued = agent.prompt("say never");
    expect(await second).toEqual({ stopReason: "end_turn" });
    await agent.client.notify("session/cancel", { sessionId: "s1" });
    expect(await Promise.all([waiting, queued])).toEqual([{ stopReason: "cancelled" }, { stopReason: "cancelled" }]);
  });

  it("load a session with its replay, resume, and list page by page", async () => {
    await using agent = await open(connect);
    const params = { sessionId: "old", cwd: "/work", mcpServers: [] };
    expect(await agent.client.call("session/load", params)).toEqual({ modes });
    expect(agent.updates.items.map(({ update }) => update)).toEqual(history);
    expect(await agent.client.call("session/resume", { ...params, sessionId: "older" })).toEqual({ modes });
    const first = (await agent.client.call("session/list", {})) as { sessions: object[]; nextCursor: string };
    const second = (await agent.client.call("session/list", { cursor: first.nextCursor })) as { sessions: object[] };
    expect([...first.sessions, ...second.sessions]).toMatchObject([{ sessionId: "old" }, { sessionId: "older" }]);
  });

  it("switch modes and options", async () => {
    await using agent = await open(connect);
    expect(await agent.client.call("session/set_mode", { sessionId: "s1", modeId: "code" })).toEqual({});
    expect(agent.updates.items.at(-1)?.update).toEqual({ sessionUpdate: "current_mode_update", currentModeId: "code" });
    const option = { sessionId: "s1", configId: "model", value: "fast" };
    expect(await agent.client.call("session/set_config_option", option)).toMatchObject({
      configOptions: [{ id: "model", currentValue: "fast" }],
    });
  });

  it("exchange errors with code, message and data", async () => {
    await using agent = await open(connect);
    await expect(agent.prompt("refuse")).rejects.toMatchObject({
      code: 1234,
      message: "On holiday",
      data: { until: "Monday" },
    });
    const nobody = { sessionId: "nobody", prompt: [] };
    await expect(agent.client.call("session/prompt", nobody)).rejects.toMatchObject({ code: -32002 });
  });

  it("call extension methods in both directions", async () => {
    await using agent = await open(connect, { "_example.com/echo": (params) => params });
    expect(await agent.client.call("_example.com/echo", { a: [1] })).toEqual({ a: [1] });
    await agent.prompt("extension");
    expect(agent.said()).toBe('{"n":1}');
  });
});

describe.each(clients.filter(({ newest }) => newest))("our agent and a client on $name", ({ connect }) => {
  it("exchange elicitations: a form and a URL", async () => {
    const completed: unknown[] = [];
    await using agent = await open(connect, {
      "elicitation/create": (params: { mode: string }) => {
        expect(params).toMatchObject(params.mode === "form" ? form : page);
        return params.mode === "form" ? { action: "accept", content: { name: "Ada" } } : { action: "decline" };
      },
      "elicitation/complete": (params) => completed.push(params),
    });
    await agent.prompt("form");
    await agent.prompt("page");
    expect(agent.said()).toBe('{"action":"accept","content":{"name":"Ada"}}|{"action":"decline"}');
    expect(completed).toEqual([{ elicitationId: page.elicitationId }]);
  });

  it("close a session, which ends its turn, and delete one", async () => {
    await using agent = await open(connect);
    const answer = agent.prompt("wait");
    await agent.updates.count(1);
    expect(await agent.client.call("session/close", { sessionId: "s1" })).toEqual({});
    expect(await answer).toEqual({ stopReason: "cancelled" });
    expect(await agent.client.call("session/delete", { sessionId: "old" })).toEqual({});
  });
});
