import fc from "fast-check";

/** Long texts of characters that are costly to search, escape or encode. */
export const longText: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: 1_000, max: 50_000 }), fc.constantFrom("x", '"', "\\", "é", "😀", "[{,", "\u2028"))
  .map(([length, unit]) => unit.repeat(length / unit.length));

/** A value with many members or items. */
const wide: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer({ min: 100, max: 5_000 }).map((length) => Array.from({ length }, () => ({}))),
  fc
    .integer({ min: 100, max: 2_000 })
    .map((length) => Object.fromEntries(Array.from({ length }, (_, index) => [`member ${index}`, index]))),
);

/** Up to twice as deep as a connection lets through. */
const deep: fc.Arbitrary<unknown> = fc.integer({ min: 20, max: 1_000 }).map((depth) => {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
});

/** A long, wide or deep JSON value. */
export const largeJson: fc.Arbitrary<unknown> = fc.oneof(longText, wide, deep);

/** Replaces one value in ten by a large one. */
export function orLarge<T, Large>(usual: fc.Arbitrary<T>, large: fc.Arbitrary<Large>): fc.Arbitrary<T | Large> {
  return fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: large, weight: 1 });
}
