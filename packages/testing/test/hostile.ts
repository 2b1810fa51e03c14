import fc from "fast-check";

/** Deeply nested JSON, as text that is built without recursion. */
export function deepJson(depth: number): string {
  return `${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`;
}

/** The value of {@link deepJson}. */
export function deepValue(depth: number): unknown {
  return JSON.parse(deepJson(depth));
}

/** JSON values of every shape, and sometimes one that is long, wide or nested deep. */
export function anyJson(maxDepth = 250): fc.Arbitrary<unknown> {
  const long = fc.string({ minLength: 1_000, maxLength: 100_000, size: "max" });
  const wide = fc.integer({ min: 1_000, max: 20_000 }).map((length) => Array.from({ length }, (_, n) => ({ n })));
  const deep = fc.integer({ min: 10, max: maxDepth }).map(deepValue);
  return fc.oneof({ weight: 10, arbitrary: fc.jsonValue() as fc.Arbitrary<unknown> }, long, wide, deep);
}
