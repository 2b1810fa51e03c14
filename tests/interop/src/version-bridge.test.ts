// The bridge between the versions of the protocol, with peers on the official SDK 2.4.0: its version 1, and its
// experimental version 2.
import { connectAgent } from "@acp-kit/client";
import { relayAgent } from "@acp-kit/http";
import { linkedTransports, toMessageStream } from "@acp-kit/protocol";
import { bridgeVersions } from "@acp-kit/v2/bridge";
import * as sdk1 from "sdk-2";
import * as sdk2 from "sdk-2/experimental/v2";
import { describe, expect, it, onTestFinished } from "vitest";
import { profiles, serveOurs } from "./peers/remote-servers.js";
import { everything, history, modes } from "./peers/script.js";
import { sdk2Agent as sdkAgentOfVersion1 } from "./peers/sdk-2.js";
import { sdkAgentOfVersion2 } from "./peers/sdk-2-v2.js";
import { openSdk2, streamOfSdk2 } from "./peers/sdk-client.js";

type Updates = (sdk2.UpdateSessionNotification["update"] | sdk1.SessionNotification["update"])[];

/** Connects an agent of the SDK with a bridge, and returns the transport for a client. */
function bridgeTo(agent: { connect(stream: never): unknown }, options?: Parameters<typeof bridgeVersions>[1]) {
  const [agentEnd, bridgeEnd] = linkedTransports();
  agent.connect(toMessageStream(agentEnd) as never);
  const transport = bridgeVersions(bridgeEnd, options);
  onTestFinished(() => transport.close());
  return transport;
}

describe("a client on the SDK's version 2 and an agent on its version 1", () => {
  async function connect(answer?: string) {
    const updates: Updates = [];
    const stream = toMessageStream(bridgeTo(sdkAgentOfVersion1()));
    const app = sdk2
      .client({ name: "client-v2" })
      .onNotification("session/update", ({ params: { update } }) => void updates.push(update))
      .onRequest("session/request_permission", () => ({
        outcome: answer === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: answer },
      }));
    const connection = app.connect(stream as never);
    const initialized = await connection.agent.request("initialize", {
      protocolVersion: 2,
      info: { name: "client-v2", version: "1" },
    });
    return { agent: connection.agent, initialized, updates };
  }

  /** Waits until the work has ended `count` times. */
  async function ends(updates: Updates, count: number): Promise<Updates> {
    const idle = () =>
      updates.filter(
        (update) => update.sessionUpdate === "state_update" && "state" in update && update.state === "idle",
      );
    while (idle().length < count) await new Promise((resolve) => setImmediate(resolve));
    return idle();
  }

  it("agree on version 2, with the capabilities that the bridge adds", async () => {
    const { agent, initialized } = await connect();
    expect(initialized).toMatchObject({
      protocolVersion: 2,
      info: { name: "sdk-2" },
      capabilities: { session: { prompt: { image: {} }, mcp: { stdio: {} }, delete: {} } },
      authMethods: [{ type: "agent", methodId: "token" }],
    });
    await agent.request("auth/login", { methodId: "token" });
    await agent.request("auth/logout", {});
  });

  it("run the SDK's session: a prompt, and text until the state is idle", async () => {
    const { agent } = await connect();
    const session = await agent.buildSession("/work").start();
    expect(session.configOptions).toMatchObject([{ configId: "mode", category: "mode", currentValue: "ask" }]);
    for (const text of ["first", "second"]) {
      expect(await session.prompt(`say ${text}`)).toHaveProperty("messageId");
      expect(await session.readTextUntilIdle()).toBe(text);
    }
  });

  it("have updates of every kind, in order", async () => {
    const { agent, updates } = await connect();
    await agent.request("session/new", { cwd: "/work" });
    await agent.request("session/prompt", { sessionId: "s1", prompt: [{ type: "text", text: "everything" }] });
    await ends(updates, 1);
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "user_message",
      "state_update",
      "agent_thought_chunk",
      "plan_update",
      "tool_call_update",
      "tool_call_update",
      ...everything.slice(4, 8).map(({ sessionUpdate }) => sessionUpdate),
      "available_commands_update",
      "config_option_update",
      "state_update",
    ]);
    expect(updates.at(-1)).toMatchObject({ state: "idle", stopReason: "end_turn" });
  });

  it.each([
    ["yes", "yes"],
    ["no", "no"],
    ["unknown", "cancelled"],
    [undefined, "cancelled"],
  ])("decide a permission request: %s is %s", async (answer, said) => {
    const { agent, updates } = await connect(answer);
    await agent.request("session/new", { cwd: "/work" });
    await agent.request("session/prompt", { sessionId: "s1", prompt: [{ type: "text", text: "ask" }] });
    await ends(updates, 1);
    expect(updates).toContainEqual(expect.objectContaining({ content: { type: "text", text: said } }));
    expect(updates).toContainEqual({ sessionUpdate: "state_update", state: "requires_action" });
  });

  it("cancel a turn, set the mode, and list, resume, close and delete sessions", async () => {
    const { agent, updates } = await connect();
    await agent.request("session/new", { cwd: "/work" });
    await agent.request("session/prompt", { sessionId: "s1", prompt: [{ type: "text", text: "wait" }] });
    await agent.notify("session/cancel", { sessionId: "s1" });
    expect(await ends(updates, 1)).toMatchObject([{ stopReason: "cancelled" }]);
    const set = await agent.request("session/set_config_option", {
      sessionId: "s1",
      configId: "mode",
      type: "id",
      value: "code",
    });
    expect(set.configOptions).toMatchObject([{ currentValue: "code" }]);
    expect(await agent.request("session/list", {})).toMatchObject({
      sessions: [{ sessionId: "old" }],
      nextCursor: "more",
    });
    updates.length = 0;
    await agent.request("session/resume", { sessionId: "old", cwd: "/work", replayFrom: { type: "start" } });
    await ends(updates, 1);
    expect(updates).toMatchObject([
      { sessionUpdate: "user_message_chunk", content: history[0].content },
      { sessionUpdate: "agent_message_chunk", content: history[1].content },
      { sessionUpdate: "tool_call_update", toolCallId: "t0" },
      { sessionUpdate: "state_update", state: "idle" },
    ]);
    await agent.request("session/close", { sessionId: "old" });
    await agent.request("session/delete", { sessionId: "old" });
    await expect(agent.request("tool_call/cancel", { sessionId: "s1", toolCallId: "t1" })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

describe("a client on the SDK's version 1 and an agent on its version 2", () => {
  async function connect(answer?: string) {
    const updates: Updates = [];
    const stream = toMessageStream(bridgeTo(sdkAgentOfVersion2()));
    const app = sdk1
      .client({ name: "client-v1" })
      .onNotification("session/update", ({ params: { update } }) => void updates.push(update))
      .onRequest("session/request_permission", () => ({
        outcome: answer === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: answer },
      }));
    const { agent } = app.connect(stream as never);
    const initialized = await agent.request("initialize", { protocolVersion: 1 });
    return { agent, initialized, updates };
  }
  const prompt = (text: string) => ({ sessionId: "s1", prompt: [{ type: "text" as const, text }] });

  it("agree on version 1 although the agent refuses it", async () => {
    const { agent, initialized } = await connect();
    expect(initialized).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "sdk-v2" },
      agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} } },
      authMethods: [{ id: "token" }],
    });
    await agent.request("authenticate", { methodId: "token" });
    await agent.request("logout", {});
  });

  it("run turns: the response follows the text and has the stop reason", async () => {
    const { agent, updates } = await connect();
    expect(await agent.request("session/new", { cwd: "/work", mcpServers: [] })).toMatchObject({
      sessionId: "s1",
      modes,
    });
    for (const text of ["first", "second"]) {
      updates.length = 0;
      expect(await agent.request("session/prompt", prompt(`say ${text}`))).toEqual({ stopReason: "end_turn" });
      expect(updates).toMatchObject([{ sessionUpdate: "agent_message_chunk", content: { text } }]);
    }
  });

  it.each([
    ["yes", "yes"],
    ["no", "no"],
    ["unknown", "cancelled"],
    [undefined, "cancelled"],
  ])("decide a permission request: %s is %s", async (answer, said) => {
    const { agent, updates } = await connect(answer);
    await agent.request("session/new", { cwd: "/work", mcpServers: [] });
    expect(await agent.request("session/prompt", prompt("ask"))).toEqual({ stopReason: "end_turn" });
    expect(updates).toMatchObject([{ content: { text: said } }]);
  });

  it("cancel a turn, set the mode, and list, load, resume, close and delete sessions", async () => {
    const { agent, updates } = await connect();
    await agent.request("session/new", { cwd: "/work", mcpServers: [] });
    const response = agent.request("session/prompt", prompt("wait"));
    await agent.notify("session/cancel", { sessionId: "s1" });
    expect(await response).toEqual({ stopReason: "cancelled" });
    await agent.request("session/set_mode", { sessionId: "s1", modeId: "code" });
    expect(await agent.request("session/list", {})).toMatchObject({ sessions: [{ sessionId: "old" }] });
    updates.length = 0;
    await agent.request("session/load", { sessionId: "old", cwd: "/work", mcpServers: [] });
    expect(updates).toMatchObject(
      history.slice(0, 2).map(({ sessionUpdate, ...rest }) => ({ sessionUpdate, ...rest })),
    );
    await agent.request("session/resume", { sessionId: "old", cwd: "/work", mcpServers: [] });
    await agent.request("session/close", { sessionId: "old" });
    await agent.request("session/delete", { sessionId: "old" });
  });
});

describe("our client and an agent on the SDK's version 2", () => {
  it("run turns, permissions and modes", async () => {
    await using connection = await connectAgent(bridgeTo(sdkAgentOfVersion2()), {
      permissions: async () => "allow_once",
    });
    const session = await connection.newSession({ cwd: "/work" });
    expect(await session.prompt("say hello").text()).toBe("hello");
    expect(await session.prompt("ask").text()).toBe("yes");
    const turn = session.prompt("wait");
    turn.cancel();
    expect(await turn.result).toMatchObject({ stopReason: "cancelled" });
  });
});

describe.each(profiles)("V2-REQ-28: the bridge over %s", (profile) => {
  it("gives a client on the SDK's version 1 an agent on its version 2", async () => {
    await using server = await serveOurs(relayAgent(() => bridgeTo(sdkAgentOfVersion2())));
    const texts: unknown[] = [];
    const { call, connection } = openSdk2(profile, server.address(profile), {
      "session/update": ({ update }: { update: { content?: { text: string } } }) => texts.push(update.content?.text),
      "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "yes" } }),
    });
    onTestFinished(() => connection.close());
    const initialize = { protocolVersion: 1, clientCapabilities: {} };
    expect(await call("initialize", initialize)).toMatchObject({ protocolVersion: 1, agentInfo: { name: "sdk-v2" } });
    await call("session/new", { cwd: "/work", mcpServers: [] });
    for (const text of ["say over the wire", "ask"])
      expect(await call("session/prompt", { sessionId: "s1", prompt: [{ type: "text", text }] })).toEqual({
        stopReason: "end_turn",
      });
    expect(texts).toEqual(["over the wire", "yes"]);
  });

  it("gives a client on the SDK's version 2 an agent on its version 1", async () => {
    await using server = await serveOurs(relayAgent(() => bridgeTo(sdkAgentOfVersion1())));
    const updates: Updates = [];
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const connection = sdk2
      .client({ name: "client-v2" })
      .onNotification("session/update", ({ params: { update } }) => {
        updates.push(update);
        if (update.sessionUpdate === "state_update" && update.state === "idle") end();
      })
      .connect(streamOfSdk2(profile, server.address(profile)) as never);
    onTestFinished(() => connection.close());
    const { agent } = connection;
    const initialize = { protocolVersion: 2, info: { name: "client-v2", version: "1" } };
    expect(await agent.request("initialize", initialize)).toMatchObject({ protocolVersion: 2 });
    await agent.request("session/new", { cwd: "/work" });
    const prompt = { sessionId: "s1", prompt: [{ type: "text" as const, text: "say over the wire" }] };
    expect(await agent.request("session/prompt", prompt)).toHaveProperty("messageId");
    await ended;
    expect(updates).toMatchObject([
      { sessionUpdate: "user_message" },
      { sessionUpdate: "state_update", state: "running" },
      { sessionUpdate: "agent_message_chunk", content: { text: "over the wire" } },
      { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
    ]);
  });
});
