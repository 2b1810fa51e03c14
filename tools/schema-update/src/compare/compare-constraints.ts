import { canonical } from "../normalize/json.js";
import type { Constraints } from "../normalize/shape.js";
import { type Place, report } from "./comparison.js";

/** Compares bounds, formats, patterns and the rarer keywords of one JSON type. */
export function compareConstraints(place: Place, kind: string, a: Constraints, b: Constraints): void {
  if (kind === "integer" || kind === "number") compareRanges(place, a, b);
  for (const [low, high, unit] of [
    ["minLength", "maxLength", "character"],
    ["minItems", "maxItems", "item"],
    ["minProperties", "maxProperties", "member"],
  ] as const) {
    const before = limits(a.get(low) ?? 0, a.get(high));
    const after = limits(b.get(low) ?? 0, b.get(high));
    compareLimits(place, before, after, `needs ${count(after, unit)}, was ${count(before, unit)}`);
  }
  const handled = new Set(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"]);
  if (kind !== "string")
    for (const keyword of ["format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
      handled.add(keyword);
  for (const keyword of new Set([...a.keys(), ...b.keys()])) {
    if (handled.has(keyword) || canonical(a.get(keyword)) === canonical(b.get(keyword))) continue;
    const effect = !a.has(keyword) ? "narrowed" : !b.has(keyword) ? "widened" : "replaced";
    const value = (constraints: Constraints): string => `\`${keyword}: ${shortJson(constraints.get(keyword))}\``;
    const what = !a.has(keyword)
      ? `must match ${value(b)}`
      : !b.has(keyword)
        ? `no longer has to match ${value(a)}`
        : `must match ${value(b)}, was ${value(a)}`;
    report(place, { code: "bounds", effect, what });
  }
}

type Bound = number | bigint | undefined;
interface Limits {
  readonly min: Bound;
  readonly max: Bound;
}

const formats: Readonly<Record<string, Limits>> = {
  int8: { min: -128, max: 127 },
  uint8: { min: 0, max: 255 },
  int16: { min: -32768, max: 32767 },
  uint16: { min: 0, max: 65535 },
  int32: { min: -(2 ** 31), max: 2 ** 31 - 1 },
  uint32: { min: 0, max: 2 ** 32 - 1 },
  int64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  uint64: { min: 0, max: 2n ** 64n - 1n },
};

function limits(min: unknown, max: unknown): Limits {
  return { min: typeof min === "number" ? min : undefined, max: typeof max === "number" ? max : undefined };
}

/** Returns the range that format and bounds allow together. Bounds that a format already implies are not a change. */
function rangeOf(constraints: Constraints): Limits {
  const format = formats[String(constraints.get("format"))];
  const own = limits(constraints.get("minimum"), constraints.get("maximum"));
  const higher = (x: Bound, y: Bound): Bound => (x === undefined ? y : y === undefined ? x : x > y ? x : y);
  const lower = (x: Bound, y: Bound): Bound => (x === undefined ? y : y === undefined ? x : x < y ? x : y);
  return { min: higher(own.min, format?.min), max: lower(own.max, format?.max) };
}

function compareRanges(place: Place, a: Constraints, b: Constraints): void {
  const before = rangeOf(a);
  const after = rangeOf(b);
  const names = { before: formatName(a), after: formatName(b) };
  const formats =
    names.before === names.after ? "" : ` (${names.before ?? "no format"} → ${names.after ?? "no format"})`;
  compareLimits(place, before, after, `accepts ${span(after)}, was ${span(before)}${formats}`);
  for (const keyword of ["exclusiveMinimum", "exclusiveMaximum"]) {
    const x = a.get(keyword);
    const y = b.get(keyword);
    if (x === y) continue;
    const tighter =
      x === undefined ||
      (typeof x === "number" && typeof y === "number" && (keyword === "exclusiveMinimum" ? y > x : y < x));
    const effect = tighter ? "narrowed" : "widened";
    report(place, { code: "bounds", effect, what: `has \`${keyword}: ${y ?? "none"}\`, was \`${x ?? "none"}\`` });
  }
  const sameRange = same(before.min, after.min) && same(before.max, after.max);
  if (sameRange && names.before !== names.after) {
    report(place, {
      code: "annotation",
      effect: "annotation",
      what: `has the format ${names.after ?? "(none)"}, was ${names.before ?? "(none)"}; the range is the same`,
    });
  }
}

function formatName(constraints: Constraints): string | undefined {
  const format = constraints.get("format");
  return typeof format === "string" ? format : undefined;
}

function compareLimits(place: Place, a: Limits, b: Limits, what: string): void {
  const tighter = below(a.min, b.min, true) || below(b.max, a.max, false);
  const looser = below(b.min, a.min, true) || below(a.max, b.max, false);
  if (tighter || looser)
    report(place, { code: "bounds", effect: tighter && looser ? "replaced" : tighter ? "narrowed" : "widened", what });
}

/** Whether one bound is below another. An absent lower bound is below every number; an absent upper bound is above every number. */
function below(x: Bound, y: Bound, lowest: boolean): boolean {
  if (x === undefined || y === undefined)
    return lowest ? x === undefined && y !== undefined : y === undefined && x !== undefined;
  return x < y;
}

function same(x: Bound, y: Bound): boolean {
  return x === y || (x !== undefined && y !== undefined && x >= y && x <= y);
}

function span({ min, max }: Limits): string {
  if (min === undefined && max === undefined) return "anything";
  if (max === undefined) return `${number(min)} and more`;
  return min === undefined ? `up to ${number(max)}` : `${number(min)} … ${number(max)}`;
}

/** Formats a number. Writes a power of two as `2^64`, because 18446744073709551615 is hard to read. */
function number(value: Bound): string {
  const named = [31n, 32n, 63n, 64n].flatMap((bits) => [
    [2n ** bits - 1n, `2^${bits} − 1`] as const,
    [-(2n ** bits), `−2^${bits}`] as const,
  ]);
  return named.find(([power]) => value !== undefined && power >= value && power <= value)?.[1] ?? String(value);
}

function count({ min, max }: Limits, unit: string): string {
  const plural = (bound: Bound): string => `${bound} ${unit}${bound === 1 ? "" : "s"}`;
  if (max === undefined) return min === 0 || min === undefined ? `any number of ${unit}s` : `at least ${plural(min)}`;
  return min === 0 || min === undefined ? `at most ${plural(max)}` : `${min} to ${plural(max)}`;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
