import { faultNames, faulty, forEachSeed, openMemoryPair, randomPlan } from "@acp-kit/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Conversation } from "./harness/conversation.js";
import { startFixtureAgent } from "./harness/fixture-agent.js";

const patience = { idleTimeoutMs: 60_000, cancelTimeoutMs: 30_000, deadlineMs: 60_000 };
/** Longer than the sum of all deadlines of a conversation. */
const LONG_ENOUGH_MS = 24 * 60 * 60_000;

const rejections: unknown[] = [];
const note = (reason: unknown): void => void rejections.push(reason);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("unhandledRejection", note);
  vi.useRealTimers();
});

it("settle.any-fault: after any fault on the wire, every promise settles with a value or a typed error, and no timer and no unhandled rejection remains", async () => {
  const happened = new Set<string>();
  await forEachSeed({ runs: 300 }, async (seed) => {
    const [ours, theirs] = openMemoryPair();
    const agent = startFixtureAgent(theirs, { limits: { requestTimeoutMs: patience.deadlineMs } });
    const transport = faulty(ours, randomPlan(seed), { seed });
    const conversation = new Conversation(patience);
    const played = conversation.play(transport);
    await untilDone(played);
    await transport.close(); // a client that could not connect still holds it
    await untilDone(agent.closed);
    const after = {
      hanging: conversation.hanging,
      untyped: conversation.untyped,
      rejections,
      timers: vi.getTimerCount(),
    };
    expect(after, transport.describe()).toEqual({ hanging: [], untyped: [], rejections: [], timers: 0 });
    for (const { fault } of transport.injected) happened.add(fault);
  });
  expect([...happened].sort()).toEqual([...faultNames].sort());
});

/**
 * Runs all pending work, then advances the clock to the next timer, until everything is done or time has no more
 * effect.
 */
async function untilDone(work: Promise<unknown>): Promise<void> {
  let done = false;
  void work.then(() => {
    done = true;
  });
  const end = performance.now() + LONG_ENOUGH_MS;
  await turns();
  while (!done && vi.getTimerCount() > 0 && performance.now() < end) {
    vi.advanceTimersToNextTimer();
    await turns();
  }
  vi.advanceTimersByTime(1); // The agent still has timers of its own.
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
