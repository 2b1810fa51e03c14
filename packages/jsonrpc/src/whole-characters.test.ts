import fc from "fast-check";
import { expect, test } from "vitest";
import { hasHalf, prefixOf, suffixOf, WholeCharacters } from "./whole-characters.js";

const rocket = "\u{1f680}";

test("a text is cut between characters", () => {
  expect([prefixOf("abc", 3), prefixOf(`a${rocket}`, 2), prefixOf(`a${rocket}b`, 3)]).toEqual([
    "abc",
    "a",
    `a${rocket}`,
  ]);
  expect([suffixOf("abc", 3), suffixOf(`${rocket}a`, 2), suffixOf(`b${rocket}a`, 3)]).toEqual([
    "abc",
    "a",
    `${rocket}a`,
  ]);
});

test("text.whole-characters: whatever a text is cut into, no piece has half a character, and the joined pieces are the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.nat(20)), (text, cuts) => {
      const characters = new WholeCharacters();
      let rest = text;
      const pieces = cuts.map((cut) => {
        const piece = rest.slice(0, cut);
        rest = rest.slice(cut);
        return characters.add(piece);
      });
      pieces.push(characters.add(rest));
      expect(pieces.filter(hasHalf)).toEqual([]);
      expect(pieces.join("")).toBe(text);
      for (const cut of cuts) expect([prefixOf(text, cut), suffixOf(text, cut)].some(hasHalf)).toBe(false);
    }),
  );
});

test("half a character without the other half is replaced", () => {
  const characters = new WholeCharacters();
  expect(["a\ud83d", "b\udc00", "\ud83dc", "d\ud83d"].map((piece) => characters.add(piece))).toEqual([
    "a",
    "\ufffdb\ufffd",
    "\ufffdc",
    "d",
  ]);
  expect(characters.isWaiting).toBe(true);
});
