import type { IncomingSessionUpdate } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { UpdateListeners } from "./listeners.js";
import type { PromptTurn, UpdateContext, UpdateListener } from "./session.js";

const update = (text: string) =>
  ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }) as IncomingSessionUpdate;
const textOf = (received: IncomingSessionUpdate): string => (received as { content: { text: string } }).content.text;
const inTurn = { turn: {} as PromptTurn, replayed: false } as UpdateContext;
const outside = { turn: undefined, replayed: false } as UpdateContext;

function updates(onUpdate?: UpdateListener, maxBufferedUpdates = 10) {
  const reports: string[] = [];
  const peer = {
    report: ({ code, message }: { code: string; message: string }) => void reports.push(`${code} ${message}`),
  };
  return {
    updates: new UpdateListeners(
      { report: peer.report, onUpdate, limits: { maxBufferedUpdates, maxBufferedBytes: 100 } },
      "s",
    ),
    reports,
  };
}

describe("the listeners of a session", () => {
  test("a function that is added twice is called twice, and removed once at a time", () => {
    const { updates: sent } = updates();
    let count = 0;
    const listener = (): void => void count++;
    const stop = sent.add(listener);
    sent.add(listener);
    sent.deliver(update("a"), inTurn, 10);
    stop();
    stop();
    sent.deliver(update("b"), inTurn, 10);
    expect(count).toBe(3);
  });

  test("a listener that is removed or added during a delivery doesn't affect the others", () => {
    const received: string[] = [];
    const { updates: sent } = updates(() => void received.push("connection"));
    const stop = sent.add(() => {
      received.push("first");
      stop();
      sent.add(() => void received.push("late"));
    });
    sent.add(() => void received.push("second"));
    sent.deliver(update("a"), inTurn, 10);
    expect(received).toEqual(["connection", "first", "second"]);
    sent.deliver(update("b"), inTurn, 10);
    expect(received.slice(3)).toEqual(["connection", "second", "late"]);
  });

  test("order.result-after-handlers: an update is delivered when all listeners have finished, also if one has thrown", async () => {
    const { updates: sent } = updates();
    let finish = (): void => {};
    const finished: string[] = [];
    sent.add(async () => {
      throw new Error("broken");
    });
    sent.add(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    const delivered = (sent.deliver(update("a"), inTurn, 10) as Promise<void>).catch((error: Error) => {
      finished.push(error.message);
    });
    await new Promise(setImmediate);
    expect(finished).toEqual([]);
    finish();
    await delivered;
    expect(finished).toEqual(["broken"]);
  });

  test("updates from before the first listener are delivered first, in order, with their context", async () => {
    const { updates: sent, reports } = updates(undefined, 2);
    for (const text of ["a", "b", "c"]) sent.deliver(update(text), outside, 10);
    expect(reports).toEqual([
      "update_dropped Session s has no listener, and its buffer is full: an update was dropped",
    ]);
    const received: [string, UpdateContext][] = [];
    sent.add(async (arrived, context) => void received.push([textOf(arrived), context]));
    await sent.deliver(update("d"), inTurn, 10);
    expect(received).toEqual([
      ["a", outside],
      ["b", outside],
      ["d", inTurn],
    ]);
    expect(sent.catchingUp).toBeUndefined();
  });
});

test.each([0, 10])(
  "with %s buffered updates, listeners receive later updates immediately after they have caught up",
  async (kept) => {
    const { updates: sent } = updates(undefined, kept);
    const received: string[] = [];
    sent.deliver(update("early"), outside, 10);
    sent.add((update) => void received.push(textOf(update)));
    await sent.catchingUp;
    expect(sent.catchingUp).toBeUndefined();
    // A promise would hold back every update that follows
    expect(sent.deliver(update("next"), outside, 10)).toBeUndefined();
    expect(received.at(-1)).toBe("next");
  },
);
