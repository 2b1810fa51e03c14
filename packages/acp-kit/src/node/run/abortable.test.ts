import { expect, it } from "vitest";
import { abortable } from "./abortable.js";

it("resolves with the value of the promise, if no signal aborts before", async () => {
  const { signal } = new AbortController();
  expect(await abortable(Promise.resolve(1), undefined, signal)).toBe(1);
});

it("resolves with undefined if a signal has aborted, and leaves no rejection of the promise unhandled", async () => {
  const aborted = AbortSignal.abort();
  expect(await abortable(Promise.resolve(1), aborted)).toBeUndefined();
  expect(await abortable(new Promise(() => {}), aborted)).toBeUndefined();
  // Vitest fails the run if a rejection is not handled.
  const rejected = Promise.reject(new Error("late"));
  expect(await abortable(rejected, aborted)).toBeUndefined();
});
