import { RpcError } from "@acp-kit/jsonrpc";
import { describe, expect, test } from "vitest";
import { RawClient } from "../test/raw-client.js";
import { settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";

const chunk = (text: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

describe("a client of a gateway", () => {
  test("receives the agent's capabilities, with the session capabilities of the gateway", async () => {
    const rig = await startRig({
      agent: { capabilities: { promptCapabilities: { image: true }, sessionCapabilities: { fork: {} } } },
    });
    const client = new RawClient(rig.accept());
    await expect(client.request("session/new", { cwd: "/" })).rejects.toMatchObject({ code: -32600 });
    const response = await client.initialize();
    expect(response).toEqual({
      protocolVersion: 1,
      agentInfo: { name: "raw", version: "1" },
      agentCapabilities: {
        promptCapabilities: { image: true },
        loadSession: true,
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      },
    });
    await expect(client.initialize()).rejects.toMatchObject({ code: -32600 });
  });

  test("runs a turn: every update in order, then the response", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const sessionId = await client.newSession();
    expect(sessionId).toMatch(/^[0-9a-f]{32}$/);
    const { turn, response } = await rig.turn(client, sessionId, "hello");
    expect(turn.sessionId).toBe("agent-1");
    for (let i = 0; i < 100; i++) turn.say(`${i} `);
    turn.end();
    expect(await response).toEqual({ stopReason: "end_turn" });
    expect(client.log).toEqual([
      "session/new -> ok",
      ...Array.from({ length: 100 }, (_, i) => `agent: ${i} `),
      "session/prompt -> end_turn",
    ]);
    expect(client.updates.every(({ params }) => params.sessionId === sessionId)).toBe(true);
  });

  test("receives updates that the agent sends before the response to session/new after that response", async () => {
    const rig = await startRig();
    const client = await rig.client();
    rig.gateway.status();
    const creating = client.newSession();
    await settled();
    rig.agent.connection.notify("session/update", { sessionId: "agent-1", update: chunk("late") });
    await creating;
    await client.until(() => client.text === "late");
    expect(client.log).toEqual(["session/new -> ok", "agent: late"]);
  });

  test("receives the agent's errors unchanged", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const { turn, response } = await rig.turn(client, await client.newSession());
    turn.fail(new RpcError(1234, "No credit", { data: { left: 0 } }));
    await expect(response).rejects.toMatchObject({ code: 1234, message: "No credit", data: { left: 0 } });
  });

  test("queues prompts, and cancels them", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId, "1");
    const second = client.prompt(sessionId, "2");
    await settled();
    expect(rig.agent.turns).toHaveLength(1);
    const permission = turn.permission();
    await client.until(() => client.requests.length === 1);
    client.connection.notify("session/cancel", { sessionId });
    expect(await permission).toEqual({ outcome: { outcome: "cancelled" } });
    expect(await second).toEqual({ stopReason: "cancelled" });
    expect(turn.isCancelled).toBe(true);
    turn.end("cancelled");
    expect(await response).toEqual({ stopReason: "cancelled" });
    expect(client.log).toContain("session/request_permission cancelled");
    const next = await rig.turn(client, sessionId, "3");
    next.turn.end();
    expect(await next.response).toEqual({ stopReason: "end_turn" });
  });

  test("cancels a prompt at any moment: the agent receives the cancellation after the prompt, or neither", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const sessionId = await client.newSession();
    for (let steps = 0; steps < 120; steps++) {
      const before = rig.agent.received.length;
      const response = client.prompt(sessionId, `${steps}`);
      for (let i = 0; i < steps; i++) await Promise.resolve();
      await client.connection.notify("session/cancel", { sessionId });
      await settled();
      const received = rig.agent.methods().slice(before);
      if (received.length > 0) expect(received).toEqual(["session/prompt", "session/cancel"]);
      rig.agent.turns.at(-1)?.end("cancelled");
      expect(await response).toEqual({ stopReason: "cancelled" });
    }
  });

  test("ends an agent that does not end a cancelled turn", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { response } = await rig.turn(client, sessionId);
    client.connection.notify("session/cancel", { sessionId });
    await rig.clock.advance(31_000);
    expect(await response).toEqual({ stopReason: "cancelled" });
    expect(rig.agent.connection.state).not.toBe("open");
  });

  test("loads a session that its agent can't load: it receives joined chunks, prompts as user messages, then modes and commands", async () => {
    const setup = {
      modes: { currentModeId: "ask", availableModes: [] },
      configOptions: [{ id: "o", currentValue: "1" }],
    };
    const rig = await startRig({ agent: { setup } });
    const first = await rig.client();
    const sessionId = await first.newSession();
    const { turn, response } = await rig.turn(first, sessionId, "hello");
    for (const word of ["a ", "b ", "c"]) turn.say(word);
    turn.update({ sessionUpdate: "plan", entries: [] });
    turn.update({ sessionUpdate: "current_mode_update", currentModeId: "code" });
    turn.say("d");
    turn.end();
    await response;
    await first.connection.close();
    const second = await rig.client();
    const loaded = await second.load(sessionId);
    expect(loaded).toMatchObject({
      modes: { currentModeId: "code" },
      configOptions: setup.configOptions,
      _meta: { "acp-kit/turn": "idle" },
    });
    expect(second.log).toEqual([
      "user: hello",
      "agent: a b c",
      'plan {"entries":[]}',
      'current_mode_update {"currentModeId":"code"}',
      "agent: d",
      "session/load -> ok",
    ]);
    expect(rig.agents).toHaveLength(2); // one agent to read the capabilities, and the agent of the session
  });

  test("attaches to a running turn with session/load, and receives each word once", async () => {
    const rig = await startRig();
    const first = await rig.client();
    const sessionId = await first.newSession();
    const { turn, response } = await rig.turn(first, sessionId, "hello");
    turn.say("a");
    const second = await rig.client();
    expect(await second.load(sessionId)).toMatchObject({ _meta: { "acp-kit/turn": "running" } });
    turn.say("b");
    turn.end();
    await response;
    await second.until(() => second.log.includes("turn idle"));
    expect(second.log).toEqual(["user: hello", "agent: a", "session/load -> ok", "agent: b", "turn idle"]);
  });

  test("attaches with session/resume and receives no history; with a cursor, it receives exactly the missed entries", async () => {
    const rig = await startRig();
    const capabilities = { _meta: { "acp-kit/cursors": true } };
    const first = await rig.client(undefined, capabilities);
    const sessionId = await first.newSession();
    const { turn } = await rig.turn(first, sessionId);
    for (const word of ["a", "b", "c", "d"]) turn.say(word);
    await first.until(() => first.text === "abcd");
    const cursors = first.updates.map(({ params }) => (params._meta as Record<string, string>)["acp-kit/cursor"]);
    for (const [i, rest] of ["bcd", "cd", "d", ""].entries()) {
      const client = await rig.client(undefined, capabilities);
      const response = await client.resume(sessionId, { "acp-kit/cursor": cursors[i] });
      expect((response._meta as Record<string, string>)["acp-kit/cursor"]).toBe(cursors[i]);
      turn.say("!");
      await client.until(() => client.text === rest + "!".repeat(i + 1));
      await client.connection.close();
    }
    const plain = await rig.client();
    await plain.resume(sessionId);
    turn.say("?");
    await plain.until(() => plain.text === "?");
    for (const cursor of ["", "j", "j0.0x", "jzzzzz.1", 7, { seq: 1 }])
      await expect(plain.resume(sessionId, { "acp-kit/cursor": cursor })).rejects.toBeInstanceOf(RpcError);
  });

  test("gets the first outcome again for a repeated prompt with the same key; the prompt runs once", async () => {
    const rig = await startRig();
    const first = await rig.client();
    const sessionId = await first.newSession();
    const meta = { "acp-kit/key": "k" };
    const lost = first.prompt(sessionId, "once", meta);
    lost.catch(() => {});
    await settled();
    expect(rig.agent.turns).toHaveLength(1);
    await first.connection.close();
    const second = await rig.client();
    await second.resume(sessionId);
    const again = second.prompt(sessionId, "once", meta);
    await settled();
    const [turn, ...more] = rig.agent.turns;
    expect(more).toEqual([]);
    turn?.end();
    expect(await again).toEqual({ stopReason: "end_turn" });
    expect(await second.prompt(sessionId, "once", meta)).toEqual({ stopReason: "end_turn" });
    const third = await rig.client();
    await third.resume(sessionId);
    expect(await third.prompt(sessionId, "once", meta)).toEqual({ stopReason: "end_turn" });
    expect(rig.agents.flatMap(({ agent }) => agent.turns)).toHaveLength(1);
  });

  test("sets a mode and calls extensions; the response arrives after the updates that the agent sent before it", async () => {
    const rig = await startRig({ agent: { setup: { modes: { currentModeId: "ask", availableModes: [] } } } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const other = await rig.client();
    await other.resume(sessionId);
    await client.request("session/set_mode", { sessionId, modeId: "code" });
    await other.until(() => other.log.includes('current_mode_update {"currentModeId":"code"}'));
    expect(client.updates).toEqual([]);
    const response = await client.request("_vendor/x", { sessionId, n: 1 });
    expect(response).toEqual({ method: "_vendor/x", sessionId: "agent-1", n: 1 });
    await expect(client.request("session/fork", { sessionId })).rejects.toMatchObject({ code: -32601 });
    expect((await (await rig.client()).load(sessionId)).modes).toMatchObject({ currentModeId: "code" });
  });

  test("lists, closes and deletes sessions", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const ids = [await client.newSession({ cwd: "/a" }), await client.newSession({ cwd: "/b" })];
    const { turn, response } = await rig.turn(client, ids[1] as string);
    const [first] = (await client.request("session/list")).sessions as readonly { readonly title?: string }[];
    expect(first?.title).toBe("go"); // the prompt
    turn.update({ sessionUpdate: "session_info_update", title: "A title" });
    turn.end();
    await response;
    expect(await client.request("session/list")).toMatchObject({
      sessions: [
        { sessionId: ids[1], cwd: "/b", title: "A title" },
        { sessionId: ids[0], cwd: "/a" },
      ],
    });
    expect(await client.request("session/list", { cwd: "/a" })).toMatchObject({ sessions: [{ sessionId: ids[0] }] });
    await expect(client.request("session/list", { cursor: "x" })).rejects.toMatchObject({ code: -32602 });
    await client.request("session/close", { sessionId: ids[1] });
    expect(rig.agent.connection.state).not.toBe("open");
    await client.request("session/delete", { sessionId: ids[1] });
    await client.request("session/delete", { sessionId: ids[1] });
    expect(((await client.request("session/list")).sessions as unknown[]).length).toBe(1);
    await expect(client.load(ids[1] as string)).rejects.toMatchObject({ code: -32002 });
  });
});
