import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../test/manual-clock.js";
import { resumes } from "../test/raw-agent.js";
import type { RawClient } from "../test/raw-client.js";
import { type Rig, settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";
import { type Engine, memoryEngine } from "./index.js";

/** Runs a turn in which the agent says one text. */
async function run(rig: Rig, client: RawClient, sessionId: string, text: string): Promise<void> {
  const { turn, response } = await rig.turn(client, sessionId, `say ${text}`);
  turn.say(text);
  turn.end();
  await response;
}

/** An engine whose server can fail over: to one without the sessions, and back. */
function failingOver(clock: ManualClock): { readonly engine: Engine; hide(isHidden: boolean): void } {
  const engine = memoryEngine({ now: () => clock.now() });
  const [find, read] = [engine.find.bind(engine), engine.read.bind(engine)];
  let isHidden = false;
  engine.find = async (key) => (isHidden ? undefined : find(key));
  engine.read = async (key, after, limits) => (isHidden ? { is: "missing" } : read(key, after, limits));
  return {
    engine,
    hide: (value) => {
      isHidden = value;
    },
  };
}

describe("a deleted session", () => {
  test("gateway.deleted-session: is unknown to its other clients, and is not reported as lost", async () => {
    const rig = await startRig({ agent: resumes });
    const [first, second] = [await rig.client(), await rig.client()];
    const sessionId = await first.newSession();
    await second.resume(sessionId);
    await first.request("session/delete", { sessionId });
    await expect(second.prompt(sessionId, "go")).rejects.toMatchObject({ code: -32002 });
    await expect(second.resume(sessionId)).rejects.toMatchObject({ code: -32002 });
    expect(rig.events.map(({ type }) => type)).not.toContain("journal_lost");
  });

  test("is deleted for a client whose deletion finds the session just before another deletion removes it", async () => {
    const engine = memoryEngine();
    const [find, remove] = [engine.find.bind(engine), engine.delete.bind(engine)];
    const rig = await startRig({ agent: resumes, engine });
    const [first, second] = [await rig.client(), await rig.client()];
    const sessionId = await first.newSession();
    const [found, removed] = [deferred(), deferred()];
    engine.find = async (key) => {
      const record = await find(key);
      engine.find = find;
      found.resolve();
      await removed.promise;
      return record;
    };
    engine.delete = async (key) => {
      const isDeleted = await remove(key);
      removed.resolve();
      return isDeleted;
    };
    const late = second.request("session/delete", { sessionId });
    await found.promise;
    await expect(first.request("session/delete", { sessionId })).resolves.toEqual({});
    await expect(late).resolves.toEqual({});
    expect(rig.events.filter(({ type }) => type === "session_deleted")).toHaveLength(1);
  });

  test("ends a running turn before it is deleted", async () => {
    const rig = await startRig({ agent: resumes });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId);
    turn.say("a");
    const deleted = client.request("session/delete", { sessionId });
    expect(await response).toEqual({ stopReason: "cancelled" });
    await deleted;
    expect(client.text).toBe("a");
  });

  test("gateway.deleted-session: exists again after a failover that lost its deletion, and its clients continue where they were", async () => {
    const clock = new ManualClock();
    const { engine, hide } = failingOver(clock);
    const options = { clock, engine, agent: resumes, policy: { sleepAfterMs: 500 } };
    const [here, there] = [await startRig(options), await startRig(options)];
    const [client, other] = [await here.client(), await there.client()];
    const sessionId = await client.newSession();
    await run(here, client, sessionId, "a");
    await clock.advance(2_000); // the session sleeps
    expect(here.gateway.status().sessions).toBe(0);
    hide(true);
    await clock.advance(10_000); // the server reads its journals from time to time
    await expect(client.prompt(sessionId, "while it is deleted")).rejects.toMatchObject({ code: -32002 });
    hide(false);
    await other.resume(sessionId);
    await run(there, other, sessionId, "b");
    await clock.advance(2_000);
    expect(client.text).toBe("a");
    await run(here, client, sessionId, "c");
    await settled();
    expect(client.text).toBe("abc");
  });

  test("gateway.deleted-session: continues for a client that resumes it without a cursor where the client was", async () => {
    const clock = new ManualClock();
    const { engine, hide } = failingOver(clock);
    const options = { clock, engine, agent: resumes, policy: { sleepAfterMs: 500 } };
    const [here, there] = [await startRig(options), await startRig(options)];
    const [client, other] = [await here.client(), await there.client()];
    const sessionId = await client.newSession();
    await run(here, client, sessionId, "a");
    await clock.advance(2_000); // the session sleeps
    hide(true);
    await clock.advance(10_000); // the server reads its journals from time to time
    hide(false);
    await other.resume(sessionId);
    await run(there, other, sessionId, "b");
    await clock.advance(2_000);
    await client.resume(sessionId);
    await settled();
    expect(client.text).toBe("ab");
  });

  test("a client that uses a session without opening it receives the permission request of the running turn", async () => {
    const rig = await startRig({ agent: resumes });
    const [first, second] = [await rig.client(), await rig.client()];
    const sessionId = await first.newSession();
    const { turn } = await rig.turn(first, sessionId);
    const answer = turn.permission();
    await first.until(() => first.requests.length === 1);
    await first.connection.close();
    void second.prompt(sessionId, "next").catch(() => {}); // without opening the session
    await second.until(() => second.requests.length === 1);
    const selected = { outcome: { outcome: "selected", optionId: "yes" } };
    second.requests[0]?.respond(selected);
    expect(await answer).toEqual(selected);
  });
});
