import { expect, it } from "vitest";
import { BodyChunks } from "./body-chunks.js";

it("returns the bytes of all chunks in order, however many chunks there are", () => {
  const chunks = new BodyChunks();
  const bytes = Array.from({ length: 5_001 }, (_, index) => index % 256);
  for (const byte of bytes) chunks.push(Uint8Array.of(byte));
  expect([chunks.size, [...chunks.join()]]).toEqual([5_001, bytes]);
});

it("merges small chunks, because each chunk takes more than a hundred bytes of memory", () => {
  const chunks = new BodyChunks();
  for (let index = 0; index < 100_000; index += 1) chunks.push(Uint8Array.of(1));
  expect(chunks.count).toBeLessThan(2_000);
});

it("does not copy a body that arrives in one chunk", () => {
  const chunks = new BodyChunks();
  const chunk = new Uint8Array(100_000);
  chunks.push(chunk);
  expect(chunks.join()).toBe(chunk);
});
