import { connectAgent, isConnectionError } from "@acp-kit/client";
import { agentScript, createClock, faulty, forEachSeed, randomPlan } from "@acp-kit/testing";
import { expect, test } from "vitest";

const script = agentScript().onPrompt((turn) => ["one", "two", "three"].forEach((word) => void turn.message(word)));

// #region plan
test("a turn ends in spite of lost and duplicate updates", async () => {
  const agent = script.inMemory();
  const transport = faulty(agent.transport, [
    { fault: "banner", from: "agent", at: 1 },
    { fault: "drop", method: "session/update", at: 2 },
    { fault: "duplicate", method: "session/update", at: 3 },
  ]);
  await using client = await connectAgent(transport);
  const session = await client.newSession({ cwd: "/work" });
  const texts: string[] = [];
  for await (const text of session.prompt("count").textStream) texts.push(text);
  expect(texts).toEqual(["one", "three", "three"]);
  expect(transport.injected.map(({ fault }) => fault)).toEqual(["banner", "drop", "duplicate"]);
});
// #endregion plan

test("every prompt settles, whatever fault occurs", async () => {
  await forEachSeed({ runs: 50 }, async (seed) => {
    // The clock of the faults; for the deadlines of the tested code, use your runner's fake timers.
    const clock = createClock();
    const agent = script.inMemory();
    const transport = faulty(
      agent.transport,
      randomPlan(seed, { faults: ["drop", "reorder", "garbage", "cut", "die"] }),
      {
        seed,
        clock,
      },
    );
    const settled = connectAgent(transport, { limits: { initializeTimeoutMs: 50, requestTimeoutMs: 50 } })
      .then((client) => client.newSession({ cwd: "/work" }))
      .then((session) => session.prompt("count", { idleTimeoutMs: 50, cancelTimeoutMs: 50 }).result)
      .catch((error: unknown) => expect(isConnectionError(error), transport.describe()).toBe(true));
    await clock.runAll();
    await settled;
    await transport.close();
  });
});
