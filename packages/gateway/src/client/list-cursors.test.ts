import { expect, it } from "vitest";
import { ListCursors } from "./list-cursors.js";

it("gateway.list-cursors: a cursor says nothing about its place, and only the connection that got it can use it", () => {
  const mine = new ListCursors();
  const texts = ["p7", "p7", "p100000"].map((cursor) => mine.seal(cursor));
  expect(texts.every((text) => /^[0-9a-f]{32}$/.test(text))).toBe(true);
  expect(new Set(texts).size).toBe(3);
  expect(texts.map((text) => mine.open(text))).toEqual(["p7", "p7", "p100000"]);
  expect(mine.open(undefined)).toBeUndefined();
  for (const forged of ["p7", "", "x".repeat(1_000_000), "__proto__", new ListCursors().seal("p7")])
    expect(() => mine.open(forged)).toThrow(/List the sessions again/);
});

it("keeps a bounded number of cursors, the newest", () => {
  const cursors = new ListCursors();
  const texts = Array.from({ length: 1_000 }, (_, place) => cursors.seal(`p${place}`));
  const isKnown = (text: string): boolean => {
    try {
      return cursors.open(text) !== undefined;
    } catch {
      return false;
    }
  };
  expect(texts.filter(isKnown)).toEqual(texts.slice(-32));
});
