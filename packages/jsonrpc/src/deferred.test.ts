import { expect, it } from "vitest";
import { deferred } from "./deferred.js";

it("is settled from outside, once", async () => {
  const { promise, resolve, reject } = deferred<number>();
  resolve(Promise.resolve(1));
  reject(new Error("too late"));
  expect(await promise).toBe(1);
});

it("has a handler from birth: a rejection that is not read is no unhandled one", async () => {
  const unhandled: unknown[] = [];
  const listen = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", listen);
  const { promise, reject } = deferred();
  reject(new Error("nobody reads this"));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", listen);
  expect(unhandled).toEqual([]);
  await expect(promise).rejects.toThrow("nobody reads this");
});
