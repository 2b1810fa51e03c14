import { isRpcError } from "@acp-kit/agent";
import type { KnownSessionUpdate } from "@acp-kit/types";
import { expect, it } from "vitest";
import { answers } from "../test/answers.js";
import { connectClient, everyCapability } from "../test/client.js";
import { memoryLogin } from "./login.js";
import { memoryEverythingStore } from "./session-store.js";

const codeOf = (error: unknown): unknown => (isRpcError(error) ? error.code : error);

it("advertises every capability of an agent", async () => {
  await using client = await connectClient();
  expect(client.agent).toEqual({
    protocolVersion: 1,
    agentInfo: { name: "everything-agent", title: "Everything Agent", version: "0.0.0" },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: {
        list: {},
        delete: {},
        resume: {},
        close: {},
        additionalDirectories: {},
        fork: {},
        systemPrompt: { mode: { override: {} } },
      },
      auth: {},
      _meta: { "acp-kit.dev": {} },
    },
    authMethods: [],
  });
});

it("responds to session/new with modes and options, and then sends the commands", async () => {
  await using client = await connectClient();
  const commands = client.next((update) => update.sessionUpdate === "available_commands_update");
  const session = await client.peer.request("session/new", { cwd: "/work", mcpServers: [] });
  expect(session.modes?.currentModeId).toBe("ask");
  expect(session.configOptions?.map(({ id }) => id)).toEqual(["mode", "model", "thinking"]);
  expect(await commands).toMatchObject({ availableCommands: { length: 39 } });
});

it("changes the mode with the option of the same name, and the option with the mode", async () => {
  await using client = await connectClient();
  const sessionId = await client.newSession();
  client.take();
  await client.peer.request("session/set_mode", { sessionId, modeId: "code" });
  expect(client.take()).toMatchObject([
    { sessionUpdate: "config_option_update", configOptions: [{ currentValue: "code" }, {}, {}] },
  ]);
  await client.peer.request("session/set_config_option", { sessionId, configId: "mode", value: "plan" });
  expect(client.take()).toEqual([{ sessionUpdate: "current_mode_update", currentModeId: "plan" }]);
});

it("changes a dependent option with the option that it depends on, and refuses unknown values", async () => {
  await using client = await connectClient({ capabilities: everyCapability });
  const sessionId = await client.newSession();
  const set = async (configId: string, value: string | boolean): Promise<unknown> => {
    const type = typeof value === "boolean" ? { type: "boolean" as const, value } : { value };
    const { configOptions } = await client.peer.request("session/set_config_option", { sessionId, configId, ...type });
    return configOptions.map(({ currentValue }) => currentValue);
  };
  expect(await set("thinking", "high").catch(codeOf)).toBe(-32602);
  expect(await set("model", "raven")).toEqual(["ask", "raven", "off", false]);
  expect(await set("thinking", "high")).toEqual(["ask", "raven", "high", false]);
  expect(await set("model", "tape")).toEqual(["ask", "tape", "off", false]);
  expect(await set("loud", true)).toEqual(["ask", "tape", "off", true]);
  expect(await set("loud", "yes").catch(codeOf)).toBe(-32602);
  expect(await set("none", "x").catch(codeOf)).toBe(-32602);
  expect((await client.prompt(sessionId, "hello")).text).toContain("TEXT: HELLO");
});

it("loads a session over another connection with the whole conversation and each tool call once, in its final state", async () => {
  const store = memoryEverythingStore();
  const { handle } = answers();
  let sessionId = "";
  const live: KnownSessionUpdate[] = [];
  {
    await using client = await connectClient({ handle, capabilities: everyCapability, everything: { store } });
    sessionId = await client.newSession();
    for (const text of ["/think", "/edit a.txt", "/run", "/refuse", "/plan"]) {
      live.push(...(await client.prompt(sessionId, text)).updates);
    }
  }
  await using client = await connectClient({ capabilities: everyCapability, everything: { store } });
  const loaded = await client.peer.request("session/load", { sessionId, cwd: "/work", mcpServers: [] });
  expect(loaded.modes?.currentModeId).toBe("ask");
  const updates = client.take();
  const prompts = updates.flatMap((update) => (update.sessionUpdate === "user_message_chunk" ? [update.content] : []));
  expect(prompts.map((block) => "text" in block && block.text)).toEqual(["/think", "/edit a.txt", "/run", "/plan"]);
  const calls = updates.filter((update) => update.sessionUpdate === "tool_call");
  expect(calls.map(({ title, status }) => [title, status])).toEqual([
    ["Read it first", "completed"],
    ["Edit a.txt", "completed"],
    ["Count to three", "completed"],
  ]);
  expect(calls[2]?.content).toEqual([{ type: "content", content: { type: "text", text: "line 1\n" } }]);
  const plans = updates.filter((update) => update.sessionUpdate === "plan");
  expect(plans).toEqual([live.filter((update) => update.sessionUpdate === "plan").at(-1)]);
});

it("resumes a session without replaying it, and continues its count", async () => {
  const store = memoryEverythingStore();
  await using first = await connectClient({ everything: { store } });
  const sessionId = await first.newSession();
  await first.prompt(sessionId, "/think");
  await using second = await connectClient({ everything: { store } });
  await second.peer.request("session/resume", { sessionId, cwd: "/work" });
  expect(second.take().map(({ sessionUpdate }) => sessionUpdate)).not.toContain("user_message_chunk");
  const { updates } = await second.prompt(sessionId, "/help");
  expect(updates).toMatchObject([{ messageId: "message_2_1" }]);
});

it("replays the same history at each load", async () => {
  const store = memoryEverythingStore();
  await using client = await connectClient({ everything: { store } });
  const sessionId = await client.newSession();
  await client.prompt(sessionId, "/think");
  const load = async (): Promise<unknown> => {
    await client.peer.request("session/load", { sessionId, cwd: "/work", mcpServers: [] });
    return client.take();
  };
  expect(await load()).toEqual(await load());
});

it("closes and deletes sessions", async () => {
  await using client = await connectClient();
  const sessionId = await client.newSession();
  await client.prompt(sessionId, "/help");
  await client.peer.request("session/close", { sessionId });
  expect(await client.prompt(sessionId, "/help").catch(codeOf)).toBe(-32002);
  expect((await client.peer.request("session/list", {})).sessions).toHaveLength(1);
  await client.peer.request("session/delete", { sessionId });
  await client.peer.request("session/delete", { sessionId });
  expect((await client.peer.request("session/list", {})).sessions).toEqual([]);
  const load = client.peer.request("session/load", { sessionId, cwd: "/work", mcpServers: [] });
  expect(await load.catch(codeOf)).toBe(-32002);
});

it("requires a login if the option login is set, and again after a logout", async () => {
  await using client = await connectClient({
    capabilities: everyCapability,
    everything: { login: memoryLogin(), terminalLoginArgs: ["--login"] },
  });
  expect(client.agent.authMethods).toMatchObject([
    { id: "pretend" },
    { id: "terminal", type: "terminal", args: ["--login"] },
  ]);
  expect(client.agent.agentCapabilities?.auth).toEqual({ logout: {} });
  expect(await client.newSession().catch(codeOf)).toBe(-32000);
  expect(await client.peer.request("session/list", {}).catch(codeOf)).toBe(-32000);
  expect(await client.peer.request("authenticate", { methodId: "terminal" }).catch(codeOf)).toBe(-32602);
  await client.peer.request("authenticate", { methodId: "pretend" });
  const sessionId = await client.newSession();
  await client.peer.request("logout", {});
  expect(await client.prompt(sessionId, "/help").catch(codeOf)).toBe(-32000);
});

it("offers no terminal login to a client that can't run one", async () => {
  await using client = await connectClient({ everything: { login: memoryLogin(), terminalLoginArgs: ["--login"] } });
  expect(client.agent.authMethods?.map(({ id }) => id)).toEqual(["pretend"]);
});

it("responds to its extension request with the params, and to its notification with a notification", async () => {
  await using client = await connectClient();
  const params = { text: "hi", nested: { deep: [1] } };
  expect(await client.peer.extensionRequest("_acp-kit.dev/echo", params)).toEqual(params);
  const notified = new Promise((resolve) =>
    client.peer.connection.onNotification("_acp-kit.dev/pong", resolve as () => void),
  );
  await client.peer.extensionNotify("_acp-kit.dev/ping", params);
  expect(await notified).toEqual(params);
  expect(await client.peer.extensionRequest("_acp-kit.dev/none", {}).catch(codeOf)).toBe(-32601);
});
