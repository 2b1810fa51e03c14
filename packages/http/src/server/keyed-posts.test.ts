import { expect, it } from "vitest";
import { KeyedPosts } from "./keyed-posts.js";
import { Refusal } from "./refusal.js";

it("remote.nothing-lost: a key is forgotten after a refusal for a moment, and kept after any other outcome", async () => {
  const posts = new KeyedPosts();
  let executed = 0;
  const execute = (refusal?: Refusal) => async () => {
    executed += 1;
    if (refusal !== undefined) throw refusal;
  };
  await expect(posts.once("a", execute(new Refusal(429, "busy")))).rejects.toThrow("busy");
  await posts.once("a", execute());
  await posts.once("a", execute());
  expect([executed, posts.outcome("a") !== undefined]).toEqual([2, true]);
  await expect(posts.once("b", execute(new Refusal(400, "invalid")))).rejects.toThrow("invalid");
  await expect(posts.once("b", execute())).rejects.toThrow("invalid");
  expect(executed).toBe(3);
});

it("only the last 256 keys are kept", async () => {
  const posts = new KeyedPosts();
  for (let key = 0; key < 300; key += 1) await posts.once(`${key}`, async () => {});
  const kept = Array.from({ length: 300 }, (_, key) => posts.outcome(`${key}`)).filter((outcome) => outcome);
  expect(kept).toHaveLength(256);
});
