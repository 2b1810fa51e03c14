/**
 * Returns whether a version is in a range: `*`, or comparisons that must all be true, such as `>=0.61.0 <0.70.0`. Only
 * the three numbers of versions are compared. A version without three numbers is only in the range `*`.
 */
export function isInRange(version: string, range: string): boolean {
  if (range === "*") return true;
  const numbers = numbersOf(version);
  return numbers !== undefined && range.split(" ").every((comparison) => holds(numbers, comparison));
}

type Numbers = readonly [number, number, number];

function holds(version: Numbers, comparison: string): boolean {
  const [, operator = "=", text = ""] = /^(>=|<=|<|>|=)?(.*)$/.exec(comparison) ?? [];
  const other = numbersOf(text);
  if (other === undefined) return false;
  const order = compare(version, other);
  if (operator === ">=") return order >= 0;
  if (operator === "<=") return order <= 0;
  if (operator === ">") return order > 0;
  return operator === "<" ? order < 0 : order === 0;
}

function numbersOf(version: string): Numbers | undefined {
  const [, major, minor, patch] = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?![.\d])/.exec(version) ?? [];
  return patch === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

function compare(one: Numbers, other: Numbers): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
