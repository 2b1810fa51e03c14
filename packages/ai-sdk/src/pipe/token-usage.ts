import type { TokenUsage } from "./stream-part.js";

/**
 * Adds the token counts of two model calls. If only one of them contains a count, the sum is this count. Other values,
 * such as a provider's own report, are left out.
 */
export function addUsage(first: TokenUsage | undefined, second: TokenUsage | undefined): TokenUsage | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return sum(first, second) as unknown as TokenUsage;
}

function sum(first: object, second: object): Record<string, unknown> {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  names.delete("raw");
  const [one, other] = [first, second] as Record<string, unknown>[];
  return Object.fromEntries([...names].map((name) => [name, add(one?.[name], other?.[name])]));
}

function add(first: unknown, second: unknown): unknown {
  if (typeof first === "number" && typeof second === "number") return first + second;
  if (isObject(first) && isObject(second)) return sum(first, second);
  return first ?? second;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
