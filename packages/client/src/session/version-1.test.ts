import { expect, test } from "vitest";
import { rawAgent } from "../../test/raw-agent.js";

// What sessions have for later versions of the protocol, on a connection of version 1.

async function opened() {
  const agent = await rawAgent({
    concurrentPrompts: "send",
    react: ({ id, method }) => (method === "session/new" ? [{ id, result: { sessionId: "s1" } }] : []),
  });
  const session = await agent.connection.newSession({ cwd: "/work" });
  return { agent, session };
}

test("V2-REQ-08: send acts as queue, and a prompt is inserted when it is sent", async () => {
  const { agent, session } = await opened();
  const sent = agent.received("session/prompt");
  const first = session.prompt("One");
  const second = session.prompt("Two");
  const { id } = await sent;
  expect([first.state, second.state]).toEqual(["running", "queued"]);
  expect(await first.inserted).toEqual({ messageId: undefined });
  const next = agent.received("session/prompt");
  agent.send({ id, result: { stopReason: "end_turn" } });
  agent.send({ id: (await next).id, result: { stopReason: "end_turn" } });
  expect(await second.inserted).toEqual({ messageId: undefined });
  await second.result;
});

test("a prompt that is cancelled in the queue is never inserted", async () => {
  const { agent, session } = await opened();
  session.prompt("One");
  const second = session.prompt("Two");
  second.cancel();
  await expect(second.inserted).rejects.toMatchObject({ name: "AbortError" });
  expect(await second.result).toEqual({ stopReason: "cancelled" });
  expect(agent.receivedSoFar().filter(({ method }) => method === "session/prompt").length).toBeLessThanOrEqual(1);
});

test("V2-REQ-16: nothing of the agent's work can be cancelled alone, and background work is unknown", async () => {
  const { agent, session } = await opened();
  expect(session.canCancel("t")).toBe(false);
  expect(session.background.snapshot).toBeUndefined();
  await expect(session.cancelToolCall("t")).rejects.toMatchObject({ name: "CapabilityError" });
  await expect(session.cancelTerminal("x")).rejects.toMatchObject({ name: "CapabilityError" });
  expect(agent.receivedSoFar().map(({ method }) => method)).toEqual(["initialize", "session/new"]);
});
