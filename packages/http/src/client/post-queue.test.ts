import { afterEach, expect, it, vi } from "vitest";
import { remoteLimitsOf } from "./http-agent-options.js";
import type { HttpRequests } from "./http-requests.js";
import { PostQueue } from "./post-queue.js";

afterEach(() => void vi.useRealTimers());

it("a POST queue clears its timers when it ends while a POST waits to be repeated", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }); // Node schedules work of its own with the others
  let posts = 0;
  const requests = {
    send: async () => {
      posts += 1;
      return { response: new Response(null, { status: 429, headers: { "retry-after": "30" } }), abort: () => {} };
    },
    finish: () => {},
  } as unknown as HttpRequests;
  const never = (): never => {
    throw new Error("not expected");
  };
  const listener = { refused: never, failed: never, drained: () => {} };
  const queue = new PostQueue({ requests, limits: remoteLimitsOf({}), listener });
  queue.add({ text: "{}", sessionId: undefined, before: undefined });
  queue.open("c", true);
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  expect(posts).toBe(1);
  const idle = queue.idle();
  queue.end();
  await idle;
  expect(vi.getTimerCount()).toBe(0);
});
