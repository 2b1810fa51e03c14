import type { IncomingSessionUpdate } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import type { UpdateContext, UpdateListener } from "./connect-options.js";
import type { PromptTurn } from "./prompt-turn.js";
import { SessionUpdates } from "./session-updates.js";

const update = (text: string) =>
  ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }) as IncomingSessionUpdate;
const textOf = (heard: IncomingSessionUpdate): string => (heard as { content: { text: string } }).content.text;
const inTurn = { turn: {} as PromptTurn, replayed: false } as UpdateContext;
const outside = { turn: undefined, replayed: false } as UpdateContext;

function updates(onUpdate?: UpdateListener, maxBufferedUpdates = 10) {
  const reports: string[] = [];
  const peer = {
    report: ({ code, message }: { code: string; message: string }) => void reports.push(`${code} ${message}`),
  };
  return {
    updates: new SessionUpdates(
      { report: peer.report, onUpdate, limits: { maxBufferedUpdates, maxBufferedBytes: 100 } },
      "s",
    ),
    reports,
  };
}

describe("the listeners of a session", () => {
  test("a function that is added twice is called twice, and removed once at a time", () => {
    const { updates: told } = updates();
    let count = 0;
    const listener = (): void => void count++;
    const stop = told.add(listener);
    told.add(listener);
    told.deliver(update("a"), inTurn, 10);
    stop();
    stop();
    told.deliver(update("b"), inTurn, 10);
    expect(count).toBe(3);
  });

  test("a listener that is removed or added during a delivery doesn't affect the others", () => {
    const heard: string[] = [];
    const { updates: told } = updates(() => void heard.push("connection"));
    const stop = told.add(() => {
      heard.push("first");
      stop();
      told.add(() => void heard.push("late"));
    });
    told.add(() => void heard.push("second"));
    told.deliver(update("a"), inTurn, 10);
    expect(heard).toEqual(["connection", "first", "second"]);
    told.deliver(update("b"), inTurn, 10);
    expect(heard.slice(3)).toEqual(["connection", "second", "late"]);
  });

  test("updates from before the first listener are delivered first, in order, with their context", async () => {
    const { updates: told, reports } = updates(undefined, 2);
    for (const text of ["a", "b", "c"]) told.deliver(update(text), outside, 10);
    expect(reports).toEqual(["update_dropped Session s has no listener, and its buffer is full"]);
    const heard: [string, UpdateContext][] = [];
    told.add(async (arrived, context) => void heard.push([textOf(arrived), context]));
    await told.deliver(update("d"), inTurn, 10);
    expect(heard).toEqual([
      ["a", outside],
      ["b", outside],
      ["d", inTurn],
    ]);
    expect(told.catchingUp).toBeUndefined();
  });
});

test.each([0, 10])(
  "with %s buffered updates, listeners receive later updates at once after they have caught up",
  async (kept) => {
    const { updates: told } = updates(undefined, kept);
    const heard: string[] = [];
    told.deliver(update("early"), outside, 10);
    told.add((update) => void heard.push(textOf(update)));
    await told.catchingUp;
    expect(told.catchingUp).toBeUndefined();
    expect(told.deliver(update("next"), outside, 10)).toBeUndefined(); // a promise would hold back every update that follows
    expect(heard.at(-1)).toBe("next");
  },
);
