import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PostOrder } from "./post-order.js";
import { Refusal } from "./refusal.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** An order of POSTs, and the outcomes of those that entered it: `mine`, `done`, or the status of the refusal. */
function postOrder() {
  const order = new PostOrder({ maxWaitingPosts: 256, postOrderTimeoutMs: 10_000 });
  const outcomes: Record<string, string | number> = {};
  const enter = (number: number, name: string = `${number}`): void => {
    const entering = (async () => order.enter(number))();
    void entering.then(
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

describe("a repeated POST", () => {
  it("gets the refusal again, whether it arrives before or after the refusal of the first POST", async () => {
    const { order, outcomes, enter } = postOrder();
    enter(1);
    enter(1, "early");
    order.refuse(new Refusal(413, "The body is too long."));
    enter(1, "late");
    enter(2);
    order.leave();
    enter(2, "2 again");
    await vi.advanceTimersByTimeAsync(0);
    expect(outcomes).toEqual({ 1: "mine", early: 413, late: 413, 2: "mine", "2 again": "done" });
  });

  it("gets 'done' if the refusal is no longer kept, because many others were refused since", () => {
    const { order } = postOrder();
    for (let number = 1; number <= 1_000; number += 1) {
      order.enter(number);
      order.refuse(new Refusal(400, `POST ${number}`));
    }
    expect(order.enter(1)).toBe("done");
    expect(() => order.enter(1_000)).toThrow("POST 1000");
  });
});

it("the POST for which others wait may be read without room, but only one with its number", () => {
  const { order } = postOrder();
  expect([order.read(2), order.read(1), order.read(1)]).toEqual([false, true, false]);
  order.readDone();
  expect(order.read(1)).toBe(true);
});
