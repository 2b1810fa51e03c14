import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PostOrder } from "./post-order.js";
import type { Refusal } from "./refusal.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** An order of POSTs, and the outcomes of those that entered it: `mine`, `done`, or the status of the refusal. */
function postOrder() {
  const order = new PostOrder({ maxWaitingPosts: 256, maxQueuedBytes: 1_000, postOrderTimeoutMs: 10_000 });
  const outcomes: Record<string, string | number> = {};
  const enter = (number: number, name: string = `${number}`): void => {
    void Promise.resolve(order.enter(number, 1)).then(
      (turn) => {
        outcomes[name] = turn;
      },
      (error: Refusal) => {
        outcomes[name] = error.status;
      },
    );
  };
  return { order, outcomes, enter };
}

describe("a POST that waits for a lower number", () => {
  it("remote.post-order: waits as long as the agent takes to read the POST before it", async () => {
    const { order, outcomes, enter } = postOrder();
    enter(1);
    enter(2);
    enter(3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(outcomes).toEqual({ 1: "mine" });
    order.leave();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(outcomes).toEqual({ 1: "mine", 2: "mine" });
    order.leave();
    await vi.advanceTimersByTimeAsync(0);
    expect(outcomes).toEqual({ 1: "mine", 2: "mine", 3: "mine" });
  });

  it("is refused when the lower number has been missing for postOrderTimeoutMs, not counted while another POST was handled", async () => {
    const { order, outcomes, enter } = postOrder();
    enter(1);
    enter(3);
    await vi.advanceTimersByTimeAsync(15_000);
    order.leave();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(outcomes).toEqual({ 1: "mine" });
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toEqual({ 1: "mine", 3: 409 });
  });
});
