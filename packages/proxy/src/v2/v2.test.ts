import { createAgent } from "@acp-kit/agent";
import { allow, connectAgent, reject } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { type AcpProxy, createProxy, refuse, withProxies } from "@acp-kit/proxy";
import {
  addContext,
  addInstructions,
  decidePermissions,
  hideTools,
  mapPaths,
  redactMessages,
} from "@acp-kit/proxy/middleware";
import { type V2Rules, v2 } from "@acp-kit/proxy/v2";
import { createRedactor } from "@acp-kit/redact";
import { agentRequests, clientRequests } from "@acp-kit/types/v2";
import { v2 as v2Agent } from "@acp-kit/v2/agent";
import { v2 as v2Client } from "@acp-kit/v2/client";
import { describe, expect, test } from "vitest";
import { delivered, info, initialize, type Json, type RawChain, rawChain } from "../../test/raw-peer.js";

const names = { info: { name: "peer", version: "1" } };
const result = { protocolVersion: 2, ...names, capabilities: { session: { delete: {} } } };

/** Opens a connection of version 2 through proxies. */
async function connected(proxies: readonly AcpProxy[], capabilities = result.capabilities): Promise<RawChain> {
  const chain = rawChain(proxies);
  chain.client.request(0, "initialize", { protocolVersion: 2, ...names, capabilities: {} });
  await delivered();
  chain.agent.respond(0, { ...result, capabilities });
  await delivered();
  return chain;
}

async function connectedBy(rules: V2Rules): Promise<RawChain> {
  return await connected([createProxy({ info, versions: [v2(rules)] })]);
}

async function session(chain: RawChain, params: Json = {}): Promise<void> {
  chain.client.request("new", "session/new", { cwd: "/work", ...params });
  await delivered();
  chain.agent.respond("new", { sessionId: "s" });
  await delivered();
}

const prompt = [{ type: "text" as const, text: "Hi" }];
const options = [
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
];

describe("proxy.versions: the version that the agent chooses", () => {
  test("decides which interceptors run", async () => {
    const calls: string[] = [];
    const seen =
      (version: number) =>
      <Result>(_: unknown, next: () => Promise<Result>) => {
        calls.push(`${version}`);
        return next();
      };
    const proxy = createProxy({
      info,
      fromClient: { "session/new": seen(1) },
      versions: [v2({ fromClient: { "session/new": seen(2) } })],
    });
    await session(await connected([proxy]));
    const chain = rawChain([proxy]);
    await initialize(chain);
    await session(chain);
    expect(calls).toEqual(["2", "1"]);
  });

  test("decides also after a client has offered both", async () => {
    const results: unknown[] = [];
    const proxy = createProxy({
      info,
      clientCapabilities: ({ terminal: _, ...rest }) => rest,
      versions: [
        v2({
          fromClient: {
            initialize: async (_, next) => {
              const chosen = await next();
              results.push(chosen.protocolVersion);
              return chosen;
            },
          },
          clientCapabilities: ({ elicitation: _, ...rest }) => rest,
        }),
      ],
    });
    const chain = rawChain([proxy]);
    chain.client.request(0, "initialize", {
      protocolVersion: 2,
      ...names,
      clientInfo: names.info,
      capabilities: { elicitation: { form: {} } },
      clientCapabilities: { terminal: true, fs: { readTextFile: true } },
    });
    await delivered();
    expect(chain.agent.params("initialize")).toEqual({
      protocolVersion: 2,
      ...names,
      clientInfo: names.info,
      capabilities: {},
      clientCapabilities: { fs: { readTextFile: true } },
    });
    chain.agent.respond(0, { protocolVersion: 1, agentCapabilities: {} });
    await delivered();
    expect(chain.client.response(0).result).toMatchObject({ protocolVersion: 1 });
    expect(results).toEqual([1]);
    chain.agent.request("t", "terminal/create", { sessionId: "s", command: "ls" });
    await delivered();
    expect(chain.agent.response("t").error).toMatchObject({ code: -32601 });
  });

  test("proxy.opening: is decided once: a second initialize is refused, and the interceptors of the first one stay", async () => {
    const calls: number[] = [];
    const seen = (version: number) => (_: unknown, next: () => unknown) => {
      calls.push(version);
      return next() as never;
    };
    const proxy = createProxy({
      info,
      fromClient: { "session/new": seen(1) },
      versions: [v2({ fromClient: { "session/new": seen(2) } })],
    });
    const chain = rawChain([proxy]);
    chain.client.request("pending", "initialize", { protocolVersion: 1 });
    await delivered();
    chain.client.request("meanwhile", "initialize", { protocolVersion: 2 });
    chain.agent.respond("pending", { protocolVersion: 1, agentCapabilities: {} });
    await delivered();
    chain.client.request("later", "initialize", { protocolVersion: 2 });
    await delivered();
    for (const id of ["meanwhile", "later"])
      expect(chain.client.response(id).error).toMatchObject({
        code: -32600,
        data: { "acp-kit/hop": { name: "house-rules", reason: "refused" } },
      });
    expect(chain.agent.received.filter(({ method }) => method === "initialize")).toHaveLength(1);
    chain.client.request("new", "session/new", { cwd: "/", mcpServers: [] });
    await delivered();
    expect(calls).toEqual([1]);
  });

  test("may be offered again after the agent has refused one", async () => {
    const chain = rawChain([createProxy({ info })]);
    chain.client.request("first", "initialize", { protocolVersion: 2 });
    await delivered();
    chain.agent.fail("first", { code: -32022, message: "Unsupported" });
    await delivered();
    chain.client.request("second", "initialize", { protocolVersion: 1 });
    await delivered();
    chain.agent.respond("second", { protocolVersion: 1, agentCapabilities: {} });
    await delivered();
    expect(chain.client.response("second").result).toMatchObject({ protocolVersion: 1 });
  });

  test("fails the connection if the proxy has no rules for it", async () => {
    const { client } = await connected([createProxy({ info })]);
    expect(client.response(0).error?.message).toBe(
      'The ACP proxy "house-rules" supports version 1, but the agent chose version 2 of the protocol',
    );
  });
});

describe("interceptors of version 2", () => {
  test("get decoded params and choose updates by kind", async () => {
    const chain = await connectedBy({
      fromClient: {
        "session/prompt": ({ params }, next) => next({ ...params, prompt: [...params.prompt, ...prompt] }),
      },
      fromAgent: {
        "session/update": {
          agent_thought: () => {},
          agent_message: ({ params }, next) => next({ ...params, update: { ...params.update, content: [] } }),
        },
        "session/request_permission": ({ params }) =>
          params.subject?.type === "command" ? refuse("No commands.") : { outcome: { outcome: "cancelled" } },
      },
    });
    await session(chain);
    chain.client.request(1, "session/prompt", { sessionId: "s", prompt });
    for (const sessionUpdate of ["agent_thought", "agent_message", "state_update"])
      chain.agent.notify("session/update", {
        sessionId: "s",
        update: {
          sessionUpdate,
          ...(sessionUpdate === "state_update" ? { state: "idle" } : { messageId: "m", content: prompt }),
        },
      });
    const subject = { type: "command", command: "ls", cwd: "/" };
    chain.agent.request(2, "session/request_permission", { sessionId: "s", title: "T", options, subject });
    chain.agent.request(3, "session/request_permission", { sessionId: "s", title: "T", options });
    await delivered();
    expect(chain.agent.params("session/prompt").prompt).toHaveLength(2);
    expect(chain.client.of("session/update").map(({ params }) => (params as Json).update)).toEqual([
      { sessionUpdate: "agent_message", messageId: "m", content: [] },
      { sessionUpdate: "state_update", state: "idle" },
    ]);
    expect(chain.agent.response(2).error).toMatchObject({ code: -32602, message: "No commands." });
    expect(chain.agent.response(3).result).toEqual({ outcome: { outcome: "cancelled" } });
  });

  test("proxy.cancel-turn: a prompt whose turn is cancelled before the agent has it is not inserted, and the running work is cancelled", async () => {
    const chain = await connectedBy({
      fromClient: {
        "session/prompt": ({ signal }) => new Promise((_, fail) => signal.addEventListener("abort", fail)),
      },
    });
    await session(chain);
    chain.client.request(1, "session/prompt", { sessionId: "s", prompt });
    chain.client.notify("session/cancel", { sessionId: "s" });
    await delivered();
    expect(chain.client.response(1).error).toMatchObject({ code: -32800 });
    expect(chain.agent.of("session/prompt")).toEqual([]);
    expect(chain.agent.of("session/cancel")).toHaveLength(1);
  });

  test.each([
    ["session/load", { fromClient: { "session/load": () => {} } }],
    ["fs/read_text_file", { fromAgent: { "fs/read_text_file": () => {} } }],
    ["agent_message_text", { fromAgent: { "session/update": { agent_message_text: () => {} } } }],
    ["session/prompt", { fromAgent: { "session/prompt": () => {} } }],
  ])("%s of version 1, or of the other side, is a mistake", (name, rules) => {
    expect(() => v2(rules as never)).toThrow(name);
  });

  test.each(
    Object.entries({ ...agentRequests, ...clientRequests }).flatMap(([method, { capability = [] }]) =>
      capability.map((path) => ({ method, path, side: Object.hasOwn(agentRequests, method) ? "agent" : "client" })),
    ),
  )(
    "proxy.capabilities: without $path, $method gets -32601 and does not reach the $side",
    async ({ method, path, side }) => {
      const all = path
        .split(".")
        .slice(1)
        .reduceRight<unknown>((value, name) => ({ [name]: value }), {}) as object;
      const chain = rawChain([
        createProxy({ info, versions: [v2({ [`${side}Capabilities`]: () => ({}) } as V2Rules)] }),
      ]);
      chain.client.request(0, "initialize", {
        protocolVersion: 2,
        ...names,
        capabilities: side === "client" ? all : {},
      });
      await delivered();
      chain.agent.respond(0, { ...result, capabilities: side === "agent" ? all : {} });
      await delivered();
      const [sender, receiver] = side === "agent" ? [chain.client, chain.agent] : [chain.agent, chain.client];
      sender.request("x", method, { sessionId: "s" });
      await delivered();
      expect(sender.response("x").error).toMatchObject({ code: -32601 });
      expect(receiver.of(method)).toEqual([]);
    },
  );
});

describe("middleware in version 2", () => {
  test("proxy.context-invisible: the context is in the prompt, and in no message that the client gets", async () => {
    const chain = await connected([addContext("The house is red.")]);
    await session(chain);
    chain.client.request(1, "session/prompt", { sessionId: "s", prompt });
    await delivered();
    const sent = chain.agent.params("session/prompt").prompt as Json[];
    expect(sent).toHaveLength(2);
    expect(sent[1]?.text).toContain("The house is red.");
    const [first = {}, second = {}] = sent;
    const update = (fields: Json): void => chain.agent.notify("session/update", { sessionId: "s", update: fields });
    update({ sessionUpdate: "user_message", messageId: "m", content: [first, second] });
    update({ sessionUpdate: "user_message", messageId: "n", content: null });
    const whole = `${second.text}`;
    update({
      sessionUpdate: "user_message_chunk",
      messageId: "o",
      content: { type: "text", text: `a${whole.slice(0, 9)}` },
    });
    update({
      sessionUpdate: "user_message_chunk",
      messageId: "o",
      content: { type: "text", text: `${whole.slice(9)}b` },
    });
    update({ sessionUpdate: "state_update", state: "idle" });
    await delivered();
    const shown = chain.client.of("session/update").map(({ params }) => (params as { update: Json }).update);
    expect(shown).toMatchObject([
      { messageId: "m", content: prompt },
      { messageId: "n", content: null },
      { messageId: "o", content: { text: "a" } },
      { messageId: "o", content: { text: "b" } },
      { state: "idle" },
    ]);
  });

  test("instructions reach an agent with a system prompt, and others in the first prompt", async () => {
    const ways: string[] = [];
    const proxy = addInstructions("Be brief.", { onWay: (way) => ways.push(way) });
    const able = await connected([proxy], { session: { systemPrompt: {} } } as never);
    await session(able);
    expect(able.agent.params("session/new").systemPrompt).toEqual({
      mode: "append",
      content: [{ type: "text", text: "Be brief." }],
    });
    const plain = await connected([proxy]);
    await session(plain);
    plain.client.request(1, "session/prompt", { sessionId: "s", prompt });
    await delivered();
    expect(plain.agent.params("session/prompt").prompt).toEqual([...prompt, { type: "text", text: "Be brief." }]);
    expect(ways).toEqual(["system_prompt", "prompt"]);
  });

  test("rules decide about commands and about every path of a diff", async () => {
    const decided: string[] = [];
    const proxy = decidePermissions(
      [
        {
          name: "no rm",
          decide: async ({ toolCall }) =>
            JSON.stringify(toolCall.rawInput ?? {}).includes("rm ") ? "reject" : undefined,
        },
        reject({ touching: ["/work/.env"] }),
        allow({ within: ["/work"] }),
      ],
      { onDecision: ({ rule }) => decided.push(rule) },
    );
    const chain = await connected([proxy]);
    await session(chain);
    const ask = async (id: number, subject?: object): Promise<unknown> => {
      chain.agent.request(id, "session/request_permission", { sessionId: "s", title: "May I?", options, subject });
      await delivered();
      await delivered();
      return chain.agent.responses(id)[0]?.result ?? "asked";
    };
    const call = (changes: object[]): object => ({
      type: "tool_call",
      toolCall: { toolCallId: "t", title: null, content: [{ type: "diff", changes }] },
    });
    const no = { outcome: { outcome: "selected", optionId: "no" } };
    expect(await ask(1, { type: "command", command: "rm -r /", cwd: "/work" })).toEqual(no);
    expect(await ask(2, call([{ operation: "move", oldPath: "/work/.env", path: "/work/a" }]))).toEqual(no);
    expect(await ask(3, call([{ operation: "add", path: "/work/a" }]))).toEqual({
      outcome: { outcome: "selected", optionId: "yes" },
    });
    expect(await ask(4, call([{ operation: "add", path: "/etc/a" }]))).toBe("asked");
    expect(await ask(5)).toBe("asked");
    expect(decided).toHaveLength(3);
  });

  test("hidden MCP servers and tools don't reach the agent, in new and in resumed sessions", async () => {
    const chain = await connected([hideTools({ files: true, terminals: true, mcpServers: ["b"], calls: ["Bash"] })]);
    const mcpServers = ["a", "b"].map((name) => ({ type: "stdio", name, command: "/m", args: [], env: [] }));
    await session(chain, { mcpServers });
    chain.client.request(2, "session/resume", { sessionId: "s", cwd: "/work", mcpServers });
    const subject = { type: "tool_call", toolCall: { toolCallId: "t", name: "Bash" } };
    chain.agent.request(3, "session/request_permission", { sessionId: "s", title: "T", options, subject });
    await delivered();
    for (const method of ["session/new", "session/resume"])
      expect(chain.agent.params(method).mcpServers).toMatchObject([{ name: "a" }]);
    expect(chain.agent.response(3).result).toEqual({ outcome: { outcome: "selected", optionId: "no" } });
  });

  test("proxy.paths-mapped: paths of changes and of the headers of their patch stay equal", async () => {
    const chain = await connected([mapPaths([{ client: "/home/me/é", agent: "/work" }])]);
    const patch = (folder: string, quoted = folder): string =>
      [
        `diff --git ${folder}/a b ${folder}/a b`,
        `--- ${folder}/a b\t`,
        `+++ ${folder}/a b\t`,
        "@@ -1,2 +1,2 @@",
        " diff --git /work/x /work/x",
        "--- /work/a",
        "+++ /work/b",
        `diff --git ${quoted}/old" ${quoted}/new"`,
        `rename from ${quoted}/old"`,
        `rename to ${quoted}/new"`,
        "",
      ].join("\n");
    const changes = [
      { operation: "modify", path: "/work/a b" },
      { operation: "move", oldPath: "/work/old", path: "/work/new" },
    ];
    const content = [{ type: "diff", changes, patch: { format: "git_patch", text: patch("/work", '"/work') } }];
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t", content };
    chain.agent.notify("session/update", { sessionId: "s", update });
    await delivered();
    const { content: shown } = chain.client.params("session/update").update as { content: Json[] };
    expect(shown[0]?.changes).toEqual([
      { operation: "modify", path: "/home/me/é/a b" },
      { operation: "move", oldPath: "/home/me/é/old", path: "/home/me/é/new" },
    ]);
    expect(shown[0]?.patch).toMatchObject({
      text: patch('"/home/me/\\303\\251', '"/home/me/\\303\\251').replaceAll("/a b", '/a b"'),
    });
  });

  test("secrets are hidden in chunks, whole messages and permission requests", async () => {
    const secret = `sk-ant-api03-${"x7Qp".repeat(20)}`;
    const chain = await connected([redactMessages(createRedactor())]);
    await session(chain);
    const update = (fields: Json): void => chain.agent.notify("session/update", { sessionId: "s", update: fields });
    update({
      sessionUpdate: "agent_message_chunk",
      messageId: "m",
      content: { type: "text", text: secret.slice(0, 30) },
    });
    update({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: secret.slice(30) } });
    update({ sessionUpdate: "agent_message", messageId: "m", content: [{ type: "text", text: secret }] });
    const subject = { type: "command", command: `KEY=${secret} run`, cwd: "/" };
    chain.agent.request(3, "session/request_permission", { sessionId: "s", title: "T", options, subject });
    await delivered();
    expect(chain.client.of("session/update")).not.toEqual([]);
    expect(JSON.stringify(chain.client.received)).not.toContain(secret);
    expect(chain.client.texts().join("")).not.toContain(secret.slice(0, 20));
  });
});

test("a client and an agent of both versions work through proxies", async () => {
  for (const versions of [[], [v2Client]] as const) {
    const heard: string[] = [];
    const agent = createAgent(
      {
        info: { name: "agent", version: "1.0.0" },
        newSession: () => ({ sessionId: crypto.randomUUID() }),
        prompt: async (turn) => {
          heard.push(JSON.stringify(turn.prompt));
          await turn.message("Hello");
        },
      },
      { versions: [v2Agent] },
    );
    const [near, far] = linkedTransports();
    withProxies(agent, [addContext("Red."), decidePermissions([])]).connect(far);
    await using connection = await connectAgent(withProxies(near, [addInstructions("Be brief.")]), {
      ...names,
      versions,
    });
    const opened = await connection.newSession({ cwd: "/work" });
    expect(await opened.prompt("One").text()).toBe("Hello");
    expect(await opened.prompt("Two").text()).toBe("Hello");
    expect(heard[0]).toContain("Be brief.");
    expect(heard[0]).toContain("Red.");
    expect(heard[1]).not.toContain("Red.");
    expect(connection.protocolVersion).toBe(versions.length === 0 ? 1 : 2);
  }
});
