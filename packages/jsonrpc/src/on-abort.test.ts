import { expect, test } from "vitest";
import { onAbort } from "./on-abort.js";

test("a listener is called once, when its signal aborts", () => {
  const controller = new AbortController();
  const calls: unknown[] = [];
  onAbort(controller.signal, () => calls.push(controller.signal.reason));
  expect(calls).toEqual([]);
  controller.abort("enough");
  controller.signal.dispatchEvent(new Event("abort"));
  expect(calls).toEqual(["enough"]);
});

test("a listener of a signal that has aborted is called immediately", () => {
  let calls = 0;
  onAbort(AbortSignal.abort(), () => {
    calls += 1;
  });
  expect(calls).toBe(1);
});

test("a listener that was removed is not called", () => {
  const controller = new AbortController();
  let calls = 0;
  const listener = (): void => {
    calls += 1;
  };
  onAbort(controller.signal, listener);
  controller.signal.removeEventListener("abort", listener);
  controller.abort();
  expect(calls).toBe(0);
});

test("the returned function removes the listener; without a signal there is none", () => {
  const controller = new AbortController();
  let calls = 0;
  const listener = (): void => {
    calls += 1;
  };
  onAbort(controller.signal, listener)();
  onAbort(undefined, listener)();
  controller.abort();
  expect(calls).toBe(0);
});
