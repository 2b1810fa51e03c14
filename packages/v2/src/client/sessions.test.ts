import type { IncomingSessionUpdate } from "@acp-kit/types";
import { describe, expect, it } from "vitest";
import { turn } from "../../test/bridged.js";
import { chunk, connected, idle, running, userMessage, withSession } from "../../test/connected.js";
import { sendUpdate } from "../../test/peers.js";

const modes = (currentValue: string): object => ({
  type: "select",
  configId: "mode",
  name: "Mode",
  category: "mode",
  currentValue,
  options: [
    { value: "ask", name: "Ask" },
    { value: "plan", name: "Plan" },
  ],
});

describe("V2-REQ-12: a saved session", () => {
  it("is loaded with session/resume and a replay; the state before the response is that of the session", async () => {
    const { client, agent } = await connected();
    const updates: unknown[] = [];
    const opening = client.loadSession(
      { sessionId: "s", cwd: "/work" },
      { onUpdate: ({ sessionUpdate }, { replayed }) => void updates.push([sessionUpdate, replayed]) },
    );
    await turn();
    const { id, params } = agent.lastReceived("session/resume");
    expect(params).toEqual({ sessionId: "s", cwd: "/work", mcpServers: [], replayFrom: { type: "start" } });
    sendUpdate(agent, userMessage("Hi", "u1"));
    sendUpdate(agent, chunk("Hello"));
    sendUpdate(agent, idle("end_turn"));
    agent.respond(id, {});
    const session = await opening;
    expect(updates).toEqual([
      ["user_message", true],
      ["agent_message_chunk", true],
      ["state_update", true],
    ]);
    expect(session.activity).toBe("idle");
    expect(session.transcript.snapshot.entries).toMatchObject([{ text: "Hi" }, { text: "Hello" }]);
  });

  it("is resumed without a replay", async () => {
    const { client, agent } = await connected();
    const opening = client.resumeSession({ sessionId: "s", cwd: "/work" });
    await turn();
    const { id, params } = agent.lastReceived("session/resume");
    expect(params).not.toHaveProperty("replayFrom");
    sendUpdate(agent, idle());
    agent.respond(id, {});
    expect((await opening).activity).toBe("idle");
  });

  it.each(["resumeSession", "loadSession"] as const)(
    "%s: a running work is a joined turn, and its end arrives",
    async (open) => {
      const { client, agent } = await connected();
      const opening = client[open]({ sessionId: "s", cwd: "/work" });
      await turn();
      sendUpdate(agent, userMessage("Hi", "u1"));
      sendUpdate(agent, running);
      agent.respond(agent.lastReceived("session/resume").id, {});
      const session = await opening;
      expect(session.activity).toBe("running");
      const joined = session.turn;
      expect(joined).toMatchObject({ isJoined: true, state: "running" });
      const text = joined?.text();
      sendUpdate(agent, chunk("Hello"));
      sendUpdate(agent, idle("max_tokens"));
      expect(await joined?.result).toEqual({ stopReason: "max_tokens" });
      expect(await text).toBe("Hello");
      expect(session.turn).toBeUndefined();
    },
  );

  it("is listed, closed and deleted with the methods of version 2", async () => {
    const result = { protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: { delete: {} } } };
    const { client, agent, session } = await withSession({}, {}, result);
    const list = client.listSessions()[Symbol.asyncIterator]().next();
    await turn();
    agent.respond(agent.lastReceived("session/list").id, { sessions: [{ sessionId: "old", cwd: "/work" }] });
    expect((await list).value).toEqual({ sessionId: "old", cwd: "/work" });
    const closing = session.close();
    await turn();
    agent.refuse(agent.lastReceived("session/close").id, -32002, "unknown session");
    await closing;
    const deleting = client.deleteSession("old");
    await turn();
    agent.respond(agent.lastReceived("session/delete").id, {});
    await deleting;
  });
});

it("updates before the response to session/new belong to the session", async () => {
  const { client, agent } = await connected();
  const opening = client.newSession({ cwd: "/work" });
  await turn();
  sendUpdate(agent, running, "s");
  sendUpdate(agent, chunk("Welcome"), "s");
  agent.respond(agent.lastReceived("session/new").id, {
    sessionId: "s",
    availableCommands: [{ type: "command", name: "test", description: "Tests" }],
  });
  const session = await opening;
  const updates: string[] = [];
  session.onUpdate(({ sessionUpdate }) => void updates.push(sessionUpdate));
  await turn();
  expect(updates).toEqual(["state_update", "agent_message_chunk", "available_commands_update"]);
  expect(session.activity).toBe("running");
  expect(session.transcript.snapshot.commands).toEqual([{ name: "test", description: "Tests" }]);
});

describe("V2-REQ-22: options", () => {
  it("the mode is an option, which both the response and updates change", async () => {
    const { session, agent } = await withSession({}, { configOptions: [modes("ask")] });
    expect(session.options.get("mode")).toMatchObject({ id: "mode", value: "ask" });
    expect(session.transcript.snapshot.modes?.currentModeId).toBe("ask");
    const updates: IncomingSessionUpdate[] = [];
    session.onUpdate((update) => void updates.push(update));
    const setting = session.options.set("mode", "plan");
    await turn();
    expect(agent.lastReceived("session/set_config_option").params).toEqual({
      sessionId: "s",
      configId: "mode",
      type: "id",
      value: "plan",
    });
    agent.respond(agent.lastReceived("session/set_config_option").id, { configOptions: [modes("plan")] });
    await setting;
    expect(session.options.get("mode")?.value).toBe("plan");
    sendUpdate(agent, { sessionUpdate: "config_option_update", configOptions: [modes("ask")] });
    await turn();
    expect(session.options.get("mode")?.value).toBe("ask");
    expect(session.transcript.snapshot.modes?.currentModeId).toBe("ask");
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toContain("config_option_update");
  });

  it("session/set_mode does not exist in version 2", async () => {
    const { client, agent } = await withSession();
    const request = client.peer.request("session/set_mode", { sessionId: "s", modeId: "plan" });
    await expect(request).rejects.toMatchObject({ name: "CapabilityError" });
    expect(agent.receivedSoFar()).toEqual([]);
  });
});

it("V2-REQ-22: login and logout are auth/login and auth/logout", async () => {
  const { client, agent } = await connected(
    {},
    {
      protocolVersion: 2,
      info: { name: "a", version: "1" },
      capabilities: { session: {} },
      authMethods: [{ type: "agent", methodId: "m", name: "M" }],
    },
  );
  const login = client.authenticate("m");
  await turn();
  agent.respond(agent.lastReceived("auth/login").id, {});
  await login;
  const logout = client.logout();
  await turn();
  agent.respond(agent.lastReceived("auth/logout").id, {});
  await logout;
});

it("V2-REQ-22: an agent without login methods gets no logout", async () => {
  const { client, agent } = await withSession();
  await expect(client.logout()).rejects.toMatchObject({ name: "CapabilityError" });
  expect(agent.receivedSoFar()).toEqual([]);
});

it("V2-REQ-23: MCP servers have a type, and only those that the agent can start or reach are sent", async () => {
  const stdio = { name: "a", command: "/bin/a", args: [], env: [] };
  const http = { type: "http" as const, name: "b", url: "https://b.dev", headers: [] };
  const open = async (mcp: object): Promise<{ servers: unknown; codes: string[] }> => {
    const result = { protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: { mcp } } };
    const { client, agent, diagnostics } = await connected({}, result);
    const opening = client.newSession({ cwd: "/work", mcpServers: [stdio, http] });
    await turn();
    const { id, params } = agent.lastReceived("session/new");
    agent.respond(id, { sessionId: "s" });
    await opening;
    return { servers: (params as { mcpServers: unknown }).mcpServers, codes: diagnostics.map(({ code }) => code) };
  };
  expect(await open({ stdio: {}, http: {} })).toEqual({ servers: [{ type: "stdio", ...stdio }, http], codes: [] });
  expect(await open({})).toEqual({ servers: [], codes: ["mcp_server_left_out", "mcp_server_left_out"] });
});
