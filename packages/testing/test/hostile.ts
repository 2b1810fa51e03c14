/** JSON that is nested so deep, without a string that is nested. */
export function deepJson(depth: number): string {
  return `${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`;
}

/** The value of {@link deepJson}. */
export function deepValue(depth: number): unknown {
  return JSON.parse(deepJson(depth));
}
