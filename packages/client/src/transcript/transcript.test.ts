import type { IncomingSessionUpdate } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { createTranscript, type Transcript } from "./transcript.js";
import type { MessageEntry } from "./transcript-entry.js";

const said = (text: string): IncomingSessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});
const titled = (title: string): IncomingSessionUpdate => ({ sessionUpdate: "session_info_update", title });
const textOf = ({ snapshot }: Transcript): string => (snapshot.entries[0] as MessageEntry | undefined)?.text ?? "";

/** A transcript that notifies its subscribers when the test says so. */
function manual(options: Parameters<typeof createTranscript>[0] = {}): { transcript: Transcript; tick: () => void } {
  const due: (() => void)[] = [];
  const transcript = createTranscript({ schedule: (notify) => void due.push(notify), ...options });
  const tick = (): void => {
    for (const notify of due.splice(0)) notify();
  };
  return { transcript, tick };
}

test("the scheduler is called without a `this`, as `requestAnimationFrame` of a browser needs", () => {
  let receiver: unknown = "not called";
  const schedule = function (this: unknown, notify: () => void): void {
    receiver = this;
    notify();
  };
  const transcript = createTranscript({ schedule });
  transcript.subscribe(() => {});
  transcript.update(titled("A"));
  expect(receiver).toBeUndefined();
});

describe("snapshots", () => {
  test("are the same object until something changes", () => {
    const transcript = createTranscript();
    const { snapshot } = transcript;
    expect(transcript.snapshot).toBe(snapshot);
    expect(transcript.getSnapshot()).toBe(snapshot);
    transcript.update(said("A"));
    const after = transcript.snapshot;
    expect(after).not.toBe(snapshot);
    expect(transcript.snapshot).toBe(after);
  });

  test("have the last event, before any subscriber was called", () => {
    const { transcript } = manual();
    transcript.update(said("A"));
    expect(textOf(transcript)).toBe("A");
  });
});

describe("subscribers", () => {
  test("are called once for changes that arrive together, and never missed", () => {
    const { transcript, tick } = manual();
    const seen: string[] = [];
    transcript.subscribe(() => seen.push(textOf(transcript)));
    transcript.update(said("A"));
    transcript.update(said("B"));
    tick();
    transcript.update(said("C"));
    tick();
    tick();
    expect(seen).toEqual(["AB", "ABC"]);
  });

  test("are called in a microtask, by default", async () => {
    const transcript = createTranscript();
    const listener = vi.fn();
    transcript.subscribe(listener);
    transcript.update(said("A"));
    transcript.update(said("B"));
    expect(listener).not.toHaveBeenCalled();
    await Promise.resolve();
    expect(listener).toHaveBeenCalledOnce();
  });

  test("are called for changes by another subscriber", () => {
    const { transcript, tick } = manual();
    const listener = vi.fn(() => {
      if (listener.mock.calls.length === 1) transcript.update(said("B"));
    });
    transcript.subscribe(listener);
    transcript.update(said("A"));
    tick();
    tick();
    expect(listener).toHaveBeenCalledTimes(2);
  });

  test("are not called for events that change nothing", () => {
    const { transcript, tick } = manual();
    const listener = vi.fn();
    transcript.subscribe(listener);
    transcript.update(said(""));
    tick();
    expect(listener).not.toHaveBeenCalled();
  });

  test("can unsubscribe, one subscription at a time", () => {
    const { transcript, tick } = manual();
    const listener = vi.fn();
    const leave = transcript.subscribe(listener);
    transcript.subscribe(listener);
    leave();
    leave();
    transcript.update(said("A"));
    tick();
    expect(listener).toHaveBeenCalledOnce();
  });

  test("that throw don't affect the others", () => {
    const errors: unknown[] = [];
    const { transcript, tick } = manual({ onError: (error) => errors.push(error) });
    const listener = vi.fn();
    transcript.subscribe(() => {
      throw new Error("draw");
    });
    transcript.subscribe(listener);
    transcript.update(said("A"));
    tick();
    expect(listener).toHaveBeenCalledOnce();
    expect(errors).toMatchObject([{ message: "draw" }]);

    const loud = manual();
    loud.transcript.subscribe(() => {
      throw new Error("draw");
    });
    loud.transcript.subscribe(listener);
    loud.transcript.update(said("A"));
    expect(loud.tick).toThrow("draw");
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

describe("selections", () => {
  test("change only with the part that they select", () => {
    const { transcript, tick } = manual();
    const title = transcript.select((snapshot) => snapshot.title);
    const listener = vi.fn();
    title.subscribe(listener);
    transcript.update(said("A"));
    tick();
    expect(listener).not.toHaveBeenCalled();
    transcript.update(titled("T"));
    tick();
    expect(listener).toHaveBeenCalledOnce();
    expect(title.snapshot).toBe("T");
  });

  test("keep their value's identity, as useSyncExternalStore requires, also if the selector creates a new one", () => {
    const { transcript, tick } = manual();
    const isEqual = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join();
    const keys = transcript.select(({ entries }) => entries.map(({ key }) => key), isEqual);
    const listener = vi.fn();
    keys.subscribe(listener);
    const before = keys.getSnapshot();
    expect(keys.getSnapshot()).toBe(before);
    transcript.update(said("A"));
    tick();
    const one = keys.getSnapshot();
    transcript.update(said("B"));
    tick();
    expect(keys.getSnapshot()).toBe(one);
    expect(listener).toHaveBeenCalledOnce();
  });
});

describe("JSON", () => {
  test("a transcript continues from its JSON", () => {
    const transcript = createTranscript();
    transcript.update(said("A"));
    const again = createTranscript({ from: JSON.parse(JSON.stringify(transcript)) });
    again.update(said("B"));
    expect(textOf(again)).toBe("AB");
    expect(textOf(transcript)).toBe("A");
  });

  test.each([
    [null, "it must be an object, not null"],
    [[], "it must be an object, not an array"],
    ["x", "it must be an object, not a string"],
    [{}, "has no version"],
    [{ version: 3 }, "is of version 3, but this library reads versions 1 and 2"],
    [{ version: 1 }, '"entries" must be an array'],
    [{ version: 1, entries: [], turns: [], commands: [], terminals: [] }, '"terminals" must be an object'],
  ])("refuses %j", (value, message) => {
    expect(() => createTranscript({ from: value })).toThrow(TypeError);
    expect(() => createTranscript({ from: value })).toThrow(message);
  });
});
