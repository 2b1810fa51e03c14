import { connectAgent, type PromptTurn, type Session } from "@acp-kit/client";
import { describe, expect, test } from "vitest";
import type { Rig } from "../test/rig.js";
import { settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";

const cwd = "/work";

/** The client of the library, connected to a gateway. */
function connect(rig: Rig) {
  return connectAgent(rig.accept(), { permissions: [() => new Promise<never>(() => {})] });
}

/** A client that runs a turn, and another one that opens its session. */
async function two(way: "load" | "resume" = "load") {
  const rig = await startRig();
  const first = await (await connect(rig)).newSession({ cwd });
  const next = rig.agent.nextTurn();
  const own = first.prompt("go");
  const turn = await next;
  turn.update({ sessionUpdate: "tool_call", toolCallId: "t", title: "Edit", status: "pending" });
  turn.say("Hel");
  await until(() => text(first) === "Hel");
  const agent = await connect(rig);
  const second = await agent.openSession({ cwd, sessionId: first.sessionId }, { prefer: way });
  return { rig, first, own, turn, agent, second, joined: second.turn as PromptTurn };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await settled();
}

function text({ transcript }: Session): string {
  return transcript.snapshot.entries.flatMap((entry) => (entry.type === "agent_message" ? [entry.text] : [])).join("|");
}

describe("a client of the library behind a gateway", () => {
  test("turn.joined: sees the running turn of another client, its message in one piece, and its end", async () => {
    const { own, turn, second, joined } = await two();
    expect(second.activity).toBe("running");
    void turn.permission();
    await until(() => second.transcript.snapshot.entries.some((entry) => "permission" in entry));
    expect(second.transcript.snapshot.entries[1]).toMatchObject({ permission: { state: "open" } });
    expect(second.transcript.snapshot.entries[1]).not.toHaveProperty("unfinished");
    turn.say("lo");
    turn.end("max_tokens");
    expect(await joined.result).toEqual({ stopReason: "max_tokens" });
    expect(await own.result).toEqual({ stopReason: "max_tokens" });
    expect(text(second)).toBe("Hello");
    expect(second).toMatchObject({ activity: "idle", turn: undefined });
  });

  test("turn.joined: cancels it", async () => {
    for (const way of ["load", "resume"] as const) {
      const { rig, own, turn, second, joined } = await two(way);
      second.cancel();
      await until(() => rig.agent.methods().includes("session/cancel"));
      turn.end("cancelled");
      expect(await joined.result).toEqual({ stopReason: "cancelled" });
      expect(await own.result).toEqual({ stopReason: "cancelled" });
    }
  });

  test("gets the error with which it ended", async () => {
    const { rig, joined } = await two();
    rig.agents.at(-1)?.kill();
    await expect(joined.result).rejects.toMatchObject({ data: { reason: "agent_failed" } });
  });

  test("sees a turn that begins later, and its own prompt runs after it", async () => {
    const { rig, first, turn, second, joined } = await two();
    const mine = second.prompt("mine");
    const next = rig.agent.nextTurn();
    turn.end();
    await joined.result;
    const begun = await next;
    await until(() => first.turn?.isJoined === true);
    begun.say("for mine");
    begun.end();
    expect(await mine.text()).toBe("for mine");
    await until(() => first.activity === "idle");
    expect(first.transcript.snapshot.turns).toMatchObject([{ state: "ended" }, { state: "ended", joined: true }]);
  });

  test("a prompt that another client withdraws from the queue does not end the running turn", async () => {
    const { rig, turn, second, joined } = await two();
    const raw = await rig.client();
    await raw.resume(second.sessionId);
    const queued = raw.prompt(second.sessionId, "queued");
    void raw.connection.notify("session/cancel", { sessionId: second.sessionId });
    expect(await queued).toEqual({ stopReason: "cancelled" });
    turn.say("lo");
    await until(() => text(second) === "Hello");
    expect(second.turn).toBe(joined);
    turn.end();
    expect(await joined.result).toEqual({ stopReason: "end_turn" });
  });

  test("a turn that ended while no client was attached: the session is idle, and the response has the outcome", async () => {
    const { rig, first, turn, agent } = await two();
    const raw = await rig.client();
    const { sessionId } = first;
    await agent.close();
    turn.say("lo");
    turn.end("refusal");
    await until(() => first.activity === "idle");
    const again = await (await connect(rig)).loadSession({ cwd, sessionId });
    expect(again).toMatchObject({ activity: "idle", turn: undefined });
    expect(text(again)).toBe("Hello");
    expect(await raw.load(sessionId)).toMatchObject({
      _meta: { "acp-kit/turn": "idle", "acp-kit/outcome": { result: { stopReason: "refusal" } } },
    });
  });
});
