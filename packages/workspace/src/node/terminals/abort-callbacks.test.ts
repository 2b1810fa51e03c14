import { expect, test } from "vitest";
import { AbortCallbacks } from "./abort-callbacks.js";

test("any number of callbacks share one listener of their signal", () => {
  const { signal, calls, abort, listeners } = watchedSignal();
  const callbacks = new AbortCallbacks();
  const removes = [1, 2, 3].map((id) => callbacks.add(signal, () => calls.push(id)));
  expect(listeners()).toBe(1);
  removes[1]?.();
  abort();
  expect(calls).toEqual([1, 3]);
});

test("the listener is removed with the last callback", () => {
  const { signal, calls, abort, listeners } = watchedSignal();
  const callbacks = new AbortCallbacks();
  for (const remove of [1, 2].map((id) => callbacks.add(signal, () => calls.push(id)))) remove();
  expect(listeners()).toBe(0);
  abort();
  expect(calls).toEqual([]);
});

test("a callback for an aborted signal is called immediately", () => {
  const calls: string[] = [];
  const remove = new AbortCallbacks().add(AbortSignal.abort(), () => calls.push("called"));
  remove();
  expect(calls).toEqual(["called"]);
});

function watchedSignal(): {
  readonly signal: AbortSignal;
  readonly calls: number[];
  readonly abort: () => void;
  readonly listeners: () => number;
} {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  };
  return { signal, calls: [], abort: () => controller.abort(), listeners: () => listeners };
}
