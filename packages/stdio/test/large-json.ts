import fc from "fast-check";

/** Returns a value inside this many arrays or objects. */
export function nested(levels: number, kind: "array" | "object", innermost: unknown = 1): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = kind === "array" ? [value] : { "": value };
  return value;
}

/** Long strings, deep nesting and many members, up to what a transport accepts. */
export const largeJson: fc.Arbitrary<unknown> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1_000, max: 20_000 }), fc.constantFrom("x", '"', "\\", "é", "[{,"))
    .map(([length, unit]) => unit.repeat(length)),
  fc
    .tuple(fc.integer({ min: 20, max: 500 }), fc.constantFrom("array", "object"))
    .map(([levels, kind]) => nested(levels, kind)),
  fc.integer({ min: 100, max: 2_000 }).map((count) => new Array(count).fill(0)),
  fc
    .integer({ min: 100, max: 2_000 })
    .map((count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`member ${index}`, index]))),
);

/** Any JSON value; one in ten is large. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.jsonValue(), weight: 9 },
  { arbitrary: largeJson, weight: 1 },
);
