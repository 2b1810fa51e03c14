import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, test } from "vitest";
import { cuttable } from "../test/cuttable-engine.js";
import { ManualClock } from "../test/manual-clock.js";
import { loads, resumes } from "../test/raw-agent.js";
import { RawClient } from "../test/raw-client.js";
import { ann, type Rig, type RigOptions, settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";
import { memoryEngine } from "./index.js";

/** From now on, the newest agent responds to a method only when the test calls `respond`. */
function held({ agent }: Rig, method: string): { respond(result: unknown): void } {
  let respond = (_: unknown): void => {};
  agent.connection.onRequest(method, () => new Promise((resolve) => (respond = resolve)));
  return { respond: (result) => respond(result) };
}

describe("an agent that dies", () => {
  test("during a turn ends the turn with a typed error, after all of its updates", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId);
    const permission = turn.permission();
    permission.catch(() => {});
    turn.say("last words");
    await client.until(() => client.text === "last words" && client.requests.length === 1);
    rig.agents.at(-1)?.kill();
    await expect(response).rejects.toMatchObject({ code: -32603, data: { reason: "agent_failed" } });
    expect(client.log.slice(1)).toEqual(
      expect.arrayContaining(["agent: last words", "session/request_permission cancelled"]),
    );
  });

  test("by closing its output cancels its open requests at once, and the next prompt starts another agent", async () => {
    const rig = await startRig({ agent: loads, times: { engineGraceMs: 3_600_000 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId, "1");
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", onWarning);
    for (let i = 0; i < 20; i++) turn.permission().catch(() => {});
    await client.until(() => client.requests.length === 20);
    await rig.agent.connection.close();
    await expect(response).rejects.toMatchObject({ data: { reason: "agent_failed" } });
    const next = await rig.turn(client, sessionId, "2");
    next.turn.end();
    expect(await next.response).toEqual({ stopReason: "end_turn" });
    expect(client.log.filter((line) => line === "session/request_permission cancelled")).toHaveLength(20);
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });

  test("during a turn ends the turn after its updates, also while they wait for the engine", async () => {
    const clock = new ManualClock();
    const { engine, cut } = cuttable(memoryEngine({ now: () => clock.now() }));
    const rig = await startRig({ clock, engine, limits: { maxUnwrittenChars: 1_000 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId);
    cut(true);
    const texts = Array.from({ length: 20 }, (_, i) => `${i},`.padEnd(200, "."));
    for (const text of texts) turn.say(text);
    await settled();
    rig.agents.at(-1)?.kill();
    await clock.advance(10_000);
    cut(false);
    await clock.advance(1_000);
    await expect(response).rejects.toMatchObject({ data: { reason: "agent_failed" } });
    expect(client.text).toBe(texts.join(""));
    const journal = await rig.gateway.journal(ann, sessionId);
    const page = await journal?.read(undefined);
    const types = page?.is === "page" ? page.entries.map(({ entry }) => entry.type) : [];
    expect(types.slice(-21)).toEqual([...texts.map(() => "update"), "turn_ended"]);
    journal?.close();
  });

  test.each([
    ["load", loads],
    ["resume", resumes],
  ] as const)(
    "is started again by the next prompt and opens the session by %s; its replay is discarded",
    async (method, agent) => {
      const rig = await startRig({ agent });
      const client = await rig.client();
      const sessionId = await client.newSession({ mcpServers: [{ name: "m" }] });
      const before = await rig.turn(client, sessionId, "1");
      rig.agents.at(-1)?.kill();
      await before.response.catch(() => {});
      const { turn, response } = await rig.turn(client, sessionId, "2");
      turn.say("back");
      turn.end();
      expect(await response).toEqual({ stopReason: "end_turn" });
      expect(client.text).toBe("back");
      expect(rig.agent.received.map(({ method }) => method)).toEqual([
        "initialize",
        `session/${method}`,
        "session/prompt",
      ]);
      expect(rig.agent.received[1]?.params).toMatchObject({
        sessionId: "agent-1",
        cwd: "/work",
        mcpServers: [{ name: "m" }],
      });
    },
  );

  test.each([
    ["load", loads],
    ["resume", resumes],
  ] as const)(
    "and opens the session again by %s: messages right behind the response are received",
    async (_, agent) => {
      const rig = await startRig({ agent: { ...agent, afterReopen: "welcome " } });
      const client = await rig.client();
      const sessionId = await client.newSession();
      const { response } = await rig.turn(client, sessionId, "1");
      rig.agents.at(-1)?.kill();
      await response.catch(() => {});
      const next = await rig.turn(client, sessionId, "2");
      next.turn.say("back");
      next.turn.end();
      await next.response;
      expect(client.text).toBe("welcome back");
    },
  );

  test("loses the session if the agent can neither load nor resume it; clients can still load the history", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId, "1");
    turn.say("kept");
    turn.end();
    await response;
    rig.agents.at(-1)?.kill();
    for (let i = 0; i < 2; i++)
      await expect(client.prompt(sessionId, "2")).rejects.toMatchObject({ data: { reason: "session_lost" } });
    const started = rig.agents.length;
    const call = client.request("session/set_mode", { sessionId, modeId: "plan" });
    await expect(call).rejects.toMatchObject({ data: { reason: "session_lost" } });
    expect(rig.agents).toHaveLength(started);
    const other = await rig.client();
    await other.load(sessionId);
    expect(other.text).toBe("kept");
    expect(rig.events).toContainEqual(expect.objectContaining({ type: "session_lost" }));
  });

  test("before the first turn is replaced, and the session loses nothing", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const sessionId = await client.newSession();
    rig.agents.at(-1)?.kill();
    await settled();
    const { turn, response } = await rig.turn(client, sessionId);
    turn.say("new");
    turn.end();
    await response;
    expect(client.text).toBe("new");
  });

  test("before the first turn is replaced, and clients receive the settings that its replacement does not have", async () => {
    const modes = { currentModeId: "write", availableModes: [] };
    const rig = await startRig({ agent: { setup: { modes } } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    await client.request("session/set_mode", { sessionId, modeId: "plan" });
    rig.agents.at(-1)?.kill();
    await settled();
    const { turn, response } = await rig.turn(client, sessionId);
    turn.end();
    await response;
    expect(client.updates.map(({ params }) => params.update)).toEqual([
      { sessionUpdate: "current_mode_update", currentModeId: "write" },
    ]);
    expect(await (await rig.client()).resume(sessionId)).toMatchObject({ modes });
  });

  test("before the first turn, and can't be started again at once, fails the prompt but does not lose the session", async () => {
    const rig = await startRig({ limits: { maxAgents: 1 } });
    const client = await rig.client();
    await settled();
    const sessionId = await client.newSession();
    rig.agents.at(-1)?.kill();
    await settled();
    const other = await client.newSession();
    const occupying = await rig.turn(client, other, "occupies the only agent");
    await expect(client.prompt(sessionId, "too early")).rejects.toMatchObject({ data: { limit: "maxAgents" } });
    occupying.turn.end();
    await occupying.response;
    await client.request("session/close", { sessionId: other });
    const { turn, response } = await rig.turn(client, sessionId, "now");
    turn.end();
    expect(await response).toEqual({ stopReason: "end_turn" });
  });

  test.each(["session", "principal"] as const)(
    "causes no further failed prompt while the processes that it started are still ending, with an agent per %s",
    async (agentPer) => {
      const rig = await startRig({ agent: loads, agentPer });
      const client = await rig.client();
      const sessionId = await client.newSession();
      const { response } = await rig.turn(client, sessionId, "1");
      const { promise: ended, resolve: end } = deferred();
      rig.agents.at(-1)?.linger(ended);
      rig.agents.at(-1)?.kill();
      await expect(response).rejects.toMatchObject({ data: { reason: "agent_failed" } });
      const next = rig.turn(client, sessionId, "2");
      const created = client.newSession();
      await settled();
      end();
      const { turn, response: second } = await next;
      turn.end();
      expect(await second).toEqual({ stopReason: "end_turn" });
      await created;
    },
  );

  test("in every turn is started again only once for each prompt; each prompt fails, and the session stays usable", async () => {
    const rig = await startRig({ agent: loads });
    const client = await rig.client();
    const sessionId = await client.newSession();
    for (let i = 0; i < 20; i++) {
      const { response } = await rig.turn(client, sessionId, `${i}`);
      rig.agents.at(-1)?.kill();
      await expect(response).rejects.toMatchObject({ data: { reason: "agent_failed" } });
    }
    expect(rig.agents.length).toBeLessThan(25);
  });
});

describe("an agent that does not open its session", () => {
  const hangs = { agent: { ...loads, hangs: ["session/load"] }, policy: { sleepAfterMs: 60_000 } };

  /** A session with a turn, whose agent hangs while it loads the session for a second prompt. */
  async function hanging(options: RigOptions = {}) {
    const rig = await startRig({ ...hangs, ...options });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId);
    turn.end();
    await response;
    await rig.clock.advance(61_000);
    const second = client.prompt(sessionId, "again");
    second.catch(() => {});
    await settled();
    expect(rig.agent.methods()).toEqual(["initialize", "session/load"]);
    return { rig, client, sessionId, second };
  }
  const running = ({ agents }: Rig) => agents.filter(({ agent }) => agent.connection.state === "open").length;

  test("within openSessionTimeoutMs is ended, and the prompt fails", async () => {
    const { rig, second } = await hanging({ times: { openSessionTimeoutMs: 20 } });
    await expect(second).rejects.toMatchObject({ data: { reason: "agent_failed" } });
    expect(running(rig)).toBe(0);
  });

  test("within cancelGraceMs after a cancellation is ended, and the turn is cancelled", async () => {
    const { rig, client, sessionId, second } = await hanging();
    await client.connection.notify("session/cancel", { sessionId });
    await rig.clock.advance(29_000);
    expect(running(rig)).toBe(1);
    await rig.clock.advance(2_000);
    expect(await second).toEqual({ stopReason: "cancelled" });
    expect(running(rig)).toBe(0);
  });

  test("is ended when the session is closed", async () => {
    const { rig, client, sessionId, second } = await hanging();
    await client.request("session/close", { sessionId });
    expect(await second).toEqual({ stopReason: "cancelled" });
    expect(running(rig)).toBe(0);
  });

  test("within openSessionTimeoutMs does not count against maxAgents any more", async () => {
    const agent = { hangs: ["session/new"] };
    const rig = await startRig({ agent, times: { openSessionTimeoutMs: 20 }, limits: { maxAgents: 1 } });
    const client = await rig.client();
    await settled();
    for (let i = 0; i < 2; i++)
      await expect(client.newSession()).rejects.toMatchObject({ data: { reason: "agent_failed" } });
    expect(running(rig)).toBe(0);
  });
});

describe("sleep", () => {
  test("ends the agent of an idle session with an orderly close, and the next prompt wakes the session", async () => {
    const rig = await startRig({ agent: resumes, policy: { sleepAfterMs: 60_000 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const first = await rig.turn(client, sessionId, "1");
    await rig.clock.advance(120_000); // a turn runs
    first.turn.end();
    await first.response;
    const { agent } = rig;
    await rig.clock.advance(59_000);
    expect(agent.connection.state).toBe("open");
    await rig.clock.advance(2_000);
    expect(agent.connection.state).not.toBe("open");
    expect(agent.methods().at(-1)).toBe("session/close");
    expect(rig.gateway.status().sessions).toBe(0);
    const second = await rig.turn(client, sessionId, "2");
    second.turn.say("awake");
    second.turn.end();
    expect(await second.response).toEqual({ stopReason: "end_turn" });
    expect(client.text).toBe("awake");
  });

  test("comes only after loseAfterMs if the agent can neither resume nor load its session", async () => {
    const rig = await startRig({ policy: { sleepAfterMs: 60_000, loseAfterMs: 300_000 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const first = await rig.turn(client, sessionId, "1");
    first.turn.end();
    await first.response;
    const { agent } = rig;
    await rig.clock.advance(299_000);
    const second = await rig.turn(client, sessionId, "2");
    second.turn.end();
    expect(await second.response).toEqual({ stopReason: "end_turn" });
    expect(rig.agent).toBe(agent);
    await rig.clock.advance(301_000);
    expect([agent.connection.state, rig.gateway.status().sessions]).toEqual(["closed", 0]);
    await expect(client.prompt(sessionId, "3")).rejects.toMatchObject({ data: { reason: "session_lost" } });
  });

  test("is not prevented by an agent's request outside of a turn that fails at once", async () => {
    const rig = await startRig({ agent: resumes, policy: { sleepAfterMs: 60_000 } });
    const client = await rig.client();
    const { turn, response } = await rig.turn(client, await client.newSession());
    turn.end();
    await response;
    await expect(turn.request("fs/read_text_file", { path: "/work/a" })).rejects.toMatchObject({ code: -32601 });
    await rig.clock.advance(61_000);
    expect(rig.gateway.status().sessions).toBe(0);
  });

  test("keeps no timer of a deleted session", async () => {
    const rig = await startRig({ agent: resumes });
    const client = await rig.client();
    await settled();
    const before = rig.clock.timers;
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId);
    turn.end();
    await response;
    await client.request("session/close", { sessionId });
    await settled();
    expect(rig.clock.timers).toBeLessThanOrEqual(before + 1);
  });
});

describe("agents started ahead", () => {
  test("serve the next session without starting an agent", async () => {
    const rig = await startRig({ warm: 1 });
    const client = await rig.client();
    await settled();
    expect(rig.agents).toHaveLength(1);
    await client.newSession();
    await settled();
    expect(rig.agents).toHaveLength(2);
    expect(rig.agents[0]?.agent.methods()).toEqual(["initialize", "session/new"]);
    expect(rig.agents[1]?.agent.methods()).toEqual(["initialize"]);
    expect(rig.agents.map(({ request }) => request.session)).toEqual([undefined, undefined]);
    await rig.clock.advance(61_000);
    expect(rig.agents[1]?.agent.connection.state).not.toBe("open");
  });

  test.each(["session", "principal"] as const)(
    "have ended after idleTimeoutMs, and start again when the principal's next client connects (agentPer: %s)",
    async (agentPer) => {
      const rig = await startRig({ warm: 1, agentPer });
      await rig.client();
      await rig.clock.advance(61_000);
      expect(rig.agents[0]?.agent.connection.state).not.toBe("open");
      const client = await rig.client();
      await settled();
      expect(rig.agents).toHaveLength(2);
      await client.newSession();
      expect(rig.agents[1]?.agent.methods()).toEqual(["initialize", "session/new"]);
    },
  );

  test("do not count after they have died", async () => {
    const rig = await startRig({ warm: 1 });
    await rig.client();
    rig.agents[0]?.kill();
    await settled();
    await rig.client();
    await settled();
    expect(rig.agents).toHaveLength(2);
  });

  test("and with newer capabilities, are described to the next client", async () => {
    let starts = 0;
    const agent = {
      get capabilities() {
        starts += 1;
        return { promptCapabilities: { image: starts > 1 } };
      },
    };
    const rig = await startRig({ agent });
    const first = new RawClient(rig.accept());
    const image = ({ agentCapabilities }: Record<string, unknown>): unknown =>
      (agentCapabilities as { promptCapabilities: { image: boolean } }).promptCapabilities.image;
    expect(image(await first.initialize())).toBe(false);
    await first.newSession();
    expect(image(await new RawClient(rig.accept()).initialize())).toBe(true);
  });

  test("are as many as the option says, but end no idle session when maxAgents is reached", async () => {
    const rig = await startRig({ warm: 2, limits: { maxAgents: 4 }, agent: loads });
    const client = await rig.client();
    await settled();
    expect(rig.agents).toHaveLength(2);
    for (const expected of [3, 4, 4, 4]) {
      await client.newSession();
      await settled();
      expect(rig.agents).toHaveLength(expected);
    }
    expect(rig.gateway.status().sessions).toBe(4);
  });

  test("are shared by all sessions of a principal with `agentPer: principal`", async () => {
    const rig = await startRig({ agentPer: "principal" });
    const client = await rig.client();
    const ids = [await client.newSession(), await client.newSession()];
    expect(rig.agents).toHaveLength(1);
    const turns = [];
    for (const [i, id] of ids.entries()) turns.push(await rig.turn(client, id, `${i}`));
    for (const [i, { turn }] of turns.entries()) turn.say(`to ${i}`);
    for (const { turn, response } of turns) {
      turn.end();
      await response;
    }
    for (const [i, id] of ids.entries())
      expect(
        client.updates.filter(({ params }) => params.sessionId === id).map(({ params }) => params.update),
      ).toMatchObject([{ content: { text: `to ${i}` } }]);
    await client.request("session/close", { sessionId: ids[0] });
    expect(rig.agents[0]?.agent.connection.state).toBe("open");
    await client.request("session/close", { sessionId: ids[1] });
    expect(rig.agents[0]?.agent.connection.state).not.toBe("open");
  });

  test("and shared by a session that is being created, are not ended by the close of the only other session", async () => {
    const rig = await startRig({ agentPer: "principal" });
    const client = await rig.client();
    const first = await client.newSession();
    const { respond } = held(rig, "session/new");
    const created = client.newSession();
    await settled();
    await client.request("session/close", { sessionId: first });
    respond({ sessionId: "agent-2" });
    const { turn, response } = await rig.turn(client, await created);
    turn.end();
    expect(await response).toEqual({ stopReason: "end_turn" });
    expect(rig.agents).toHaveLength(1);
  });

  test("and shared, end after idleTimeoutMs if no session has used them", async () => {
    const rig = await startRig({ agentPer: "principal" });
    await (await rig.client()).connection.close();
    await rig.clock.advance(59_000);
    expect(rig.agent.connection.state).toBe("open");
    await rig.clock.advance(2_000);
    expect(rig.agent.connection.state).not.toBe("open");
  });

  test("count against maxAgents", async () => {
    const rig = await startRig({ limits: { maxAgents: 2 } });
    const client = await rig.client();
    await settled();
    for (const text of ["1", "2"]) await rig.turn(client, await client.newSession(), text);
    await expect(client.newSession()).rejects.toMatchObject({ data: { reason: "limit", limit: "maxAgents" } });
  });
});

describe("a login", () => {
  const login = (client: RawClient) => client.request("authenticate", { methodId: "browser" });

  test("may take longer than idleTimeoutMs; its agent then waits idleTimeoutMs for a session", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const first = login(client);
    first.catch(() => {});
    await settled(); // the agent responds with an error
    await first.catch(() => {});
    const { respond } = held(rig, "authenticate");
    await rig.clock.advance(58_000);
    const second = login(client);
    await rig.clock.advance(3_600_000);
    respond({});
    expect(await second).toEqual({});
    await rig.clock.advance(59_000);
    await client.newSession();
    expect(rig.agents).toHaveLength(2); // the first one was started to read its capabilities
    expect(rig.agent.methods()).toEqual(["initialize", "authenticate", "session/new"]);
  });

  test("ends its agent idleTimeoutMs after its end if no session uses the agent", async () => {
    const rig = await startRig();
    await login(await rig.client()).catch(() => {});
    await rig.clock.advance(61_000);
    expect(rig.agent.connection.state).not.toBe("open");
  });
});

describe("shutting down", () => {
  test("drain waits for running turns, and refuses new connections and sessions", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId);
    const drained = rig.gateway.drain({ graceMs: 10_000 });
    expect(() => rig.accept()).toThrow("shut down");
    turn.say("finished");
    turn.end();
    await rig.clock.advance(200);
    expect(await response).toEqual({ stopReason: "end_turn" });
    await rig.clock.advance(200);
    await drained;
    expect(rig.agent.connection.state).not.toBe("open");
    expect(rig.gateway.status()).toEqual({
      ...{ connections: 0, sessions: 0, turns: 0, isDraining: true },
      isEngineReachable: true,
    });
    await rig.clock.advance(100_000);
    expect(rig.clock.timers).toBe(0);
  });

  test("gateway.drain: leaves the prompts that wait for a running turn to the next owner of the session", async () => {
    const clock = new ManualClock();
    const engine = memoryEngine({ now: () => clock.now() });
    const [old, next] = [
      await startRig({ engine, clock, agent: loads }),
      await startRig({ engine, clock, agent: loads }),
    ];
    const sessionId = await (await old.client()).newSession();
    const client = await next.client();
    await client.resume(sessionId);
    const sent = client.prompt(sessionId, "1");
    await clock.advance(1_000);
    const running = old.agent.turns.find(({ text }) => text === "1");
    const waiting = client.prompt(sessionId, "2");
    await clock.advance(1_000);
    const drained = old.gateway.drain({ graceMs: 3_600_000 });
    running?.end();
    expect(await sent).toEqual({ stopReason: "end_turn" });
    await clock.advance(5_000);
    await drained;
    next.agent.turns.find(({ text }) => text === "2")?.end();
    expect(await waiting).toEqual({ stopReason: "end_turn" });
    expect(old.agents.flatMap(({ agent }) => agent.turns.map(({ text }) => text))).toEqual(["1"]);
  });

  test("gateway.drain: leaves a session to other replicas if it was acquired when the shutdown began", async () => {
    const clock = new ManualClock();
    const shared = memoryEngine({ now: () => clock.now() });
    const { engine, delay } = cuttable(shared);
    const [old, next] = [await startRig({ engine, clock }), await startRig({ engine: shared, clock })];
    const client = await old.client();
    const sessionId = await client.newSession();
    await client.request("session/close", { sessionId });
    await client.resume(sessionId);
    let acquired = (): void => {};
    delay(new Promise((resolve) => (acquired = resolve)));
    const prompt = client.prompt(sessionId, "1");
    prompt.catch(() => {});
    await settled();
    const drained = old.gateway.drain({ graceMs: 3_600_000 });
    acquired();
    await settled();
    const { turn, response } = await next.turn(await next.client(), sessionId, "2");
    turn.end();
    expect(await response).toEqual({ stopReason: "end_turn" });
    await clock.advance(1_000);
    await drained;
    await expect(prompt).rejects.toThrow();
    const journal = await next.gateway.journal(ann, sessionId);
    const page = await journal?.read(undefined);
    const types = page?.is === "page" ? page.entries.map(({ entry }) => entry.type) : [];
    expect(types).toEqual(["agent_opened", "turn_started", "turn_ended"]);
    journal?.close();
  });

  test("gateway.drain: closes the connections of idle clients immediately, so that they continue on another replica", async () => {
    const rig = await startRig();
    const [busy, idle] = [await rig.client(), await rig.client()];
    const sessionId = await busy.newSession();
    await idle.newSession();
    const { turn, response } = await rig.turn(busy, sessionId);
    const drained = rig.gateway.drain({ graceMs: 10_000 });
    await rig.clock.advance(200);
    expect([busy.connection.state, idle.connection.state]).toEqual(["open", "closed"]);
    turn.end();
    expect(await response).toEqual({ stopReason: "end_turn" });
    await rig.clock.advance(200);
    await drained;
  });

  test("drain leaves no session that no client knows", async () => {
    const rig = await startRig({ agentPer: "principal" });
    const client = await rig.client();
    const { respond } = held(rig, "session/new");
    const created = client.newSession();
    created.catch(() => {});
    await settled();
    const drained = rig.gateway.drain({ graceMs: 1_000 });
    respond({ sessionId: "agent-1" });
    await rig.clock.advance(1_000);
    await drained;
    await expect(created).rejects.toThrow();
    expect(await rig.engine.count(ann)).toBe(0);
  });

  test("drain interrupts a turn that takes too long", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const { response } = await rig.turn(client, await client.newSession());
    const drained = rig.gateway.drain({ graceMs: 1_000 });
    await rig.clock.advance(2_000);
    await expect(response).rejects.toMatchObject({ data: { reason: "turn_interrupted" } });
    await drained;
  });

  test("close ends a drain that waits for a turn, and releases the session", async () => {
    const rig = await startRig({ agent: loads });
    const sessionId = await (await rig.client()).newSession();
    const client = await rig.client();
    await client.resume(sessionId);
    const { response } = await rig.turn(client, sessionId);
    const drained = rig.gateway.drain({ graceMs: 1_000_000 });
    response.catch(() => {});
    await rig.gateway.close();
    expect(rig.gateway.status().sessions).toBe(0);
    await drained;
    const second = await startRig({ engine: rig.engine, clock: rig.clock, agent: loads });
    const { turn, response: next } = await second.turn(await second.client(), sessionId, "more");
    turn.end();
    expect(await next).toMatchObject({ stopReason: "end_turn" });
  });

  test("close resolves for every caller when the agents have ended", async () => {
    const rig = await startRig({
      agent: { capabilities: { sessionCapabilities: { close: {} } }, hangs: ["session/close"] },
    });
    await (await rig.client()).newSession();
    const ended: string[] = [];
    const closed = Promise.all([1, 2].map((n) => rig.gateway.close().then(() => ended.push(`close ${n}`))));
    await settled();
    expect(ended).toEqual([]);
    await rig.clock.advance(60_000);
    await closed;
    expect(rig.agent.connection.state).not.toBe("open");
  });

  test("ends agents that have not responded to initialize yet", async () => {
    const rig = await startRig({ agent: { hangs: ["initialize"] } });
    const client = new RawClient(rig.accept());
    client.initialize().catch(() => {});
    await settled();
    expect(rig.agent.methods()).toEqual(["initialize"]);
    await rig.gateway.close();
    expect(rig.agent.connection.state).not.toBe("open");
  });

  test("another gateway on the same engine continues the sessions", async () => {
    const first = await startRig({ agent: loads });
    const { engine, clock } = first;
    const client = await first.client();
    const sessionId = await client.newSession();
    const { turn, response } = await first.turn(client, sessionId);
    turn.say("before");
    turn.end();
    await response;
    await first.gateway.close();
    const second = await startRig({ engine, clock, agent: loads });
    const again = await second.client();
    await again.load(sessionId);
    const next = await second.turn(again, sessionId, "more");
    next.turn.say(" after");
    next.turn.end();
    await next.response;
    expect(again.text).toBe("before after");
  });
});
