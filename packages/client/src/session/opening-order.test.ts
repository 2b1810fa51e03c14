import type { WireMessage } from "@acp-kit/testing";
import { describe, expect, test } from "vitest";
import { type RawScript, rawAgent, says } from "../../test/raw-agent.js";

const answer = { agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, close: {}, delete: {} } } };
const saved = { cwd: "/work", sessionId: "s1" };

/** An agent that answers every request, except for those of `silent`, until the client cancels them. */
function answering(silent: string): NonNullable<RawScript["react"]> {
  let first: WireMessage["id"];
  return ({ id, method }) => {
    if (method === silent && first === undefined) {
      first = id;
      return [];
    }
    if (method === "$/cancel_request") return [{ id: first, error: { code: -32800, message: "cancelled" } }];
    if (method === "session/load") return [says("one"), says("two"), { id, result: {} }];
    if (method === "session/prompt") return [{ id, result: { stopReason: "end_turn" } }];
    return id === undefined ? [] : [{ id, result: { sessionId: "s1" } }];
  };
}

describe("a session that is being opened", () => {
  test("is loaded again after the first load, so that a cancelled load takes nothing from the other", async () => {
    const agent = await rawAgent({ answer, react: answering("session/load") });
    const abort = new AbortController();
    const sent = agent.received("session/load");
    const first = agent.connection.loadSession(saved, { signal: abort.signal });
    const texts: unknown[] = [];
    const onUpdate = (update: object): unknown => texts.push((update as { messageId?: string }).messageId);
    const second = agent.connection.loadSession(saved, { onUpdate });
    await sent;
    abort.abort();
    await expect(first).rejects.toMatchObject({ code: -32800 });
    const session = await second;
    expect(texts).toEqual(["one", "two"]);
    expect(agent.connection.session("s1")).toBe(session);
    expect(await session.prompt("go").result).toEqual({ stopReason: "end_turn" });
  });

  test("is opened by the second call if the caller of the first aborts it", async () => {
    const agent = await rawAgent({ answer, react: answering("session/resume") });
    const abort = new AbortController();
    const sent = agent.received("session/resume");
    const first = agent.connection.openSession(saved, { signal: abort.signal });
    const second = agent.connection.openSession(saved);
    await sent;
    abort.abort();
    await expect(first).rejects.toMatchObject({ code: -32800 });
    expect(await second).toBe(agent.connection.session("s1"));
  });

  test("is not waited for any longer if the caller of the second aborts", async () => {
    const { connection } = await rawAgent({ answer, react: answering("session/resume") });
    const abort = new AbortController();
    connection.openSession(saved).catch(() => {});
    const second = connection.openSession(saved, { signal: abort.signal });
    abort.abort(new Error("left"));
    await expect(second).rejects.toThrow("left");
  });
});

describe("a session that is being closed", () => {
  test.each(["openSession", "loadSession", "resumeSession"] as const)("is opened again by %s", async (open) => {
    const agent = await rawAgent({ answer, react: answering("") });
    const before = await agent.connection.newSession({ cwd: "/work" });
    const closing = before.close();
    const session = await agent.connection[open](saved);
    await closing;
    expect(session).not.toBe(before);
    expect(session.closed).toBe(false);
    expect(agent.connection.session("s1")).toBe(session);
    expect(
      agent
        .receivedSoFar()
        .map(({ method }) => method)
        .slice(-2)[0],
    ).toBe("session/close");
  });
});

test("a session that was deleted is not open any more", async () => {
  const agent = await rawAgent({ answer, react: answering("session/prompt") });
  const session = await agent.connection.newSession({ cwd: "/work" });
  const turn = session.prompt("go");
  await agent.connection.deleteSession("s1");
  expect(agent.connection.sessions).toEqual([]);
  expect(session.closed).toBe(true);
  await expect(session.prompt("more").result).rejects.toThrow("is closed");
  expect(agent.receivedSoFar().map(({ method }) => method)).toContain("session/cancel");
  expect(turn.state).toBe("running"); // until the agent responds
  expect(await agent.connection.openSession(saved)).not.toBe(session);
});
