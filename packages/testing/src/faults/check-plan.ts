import { jsonText } from "../json-text.js";
import type { FaultPlan } from "./fault-plan.js";
import { faultNames } from "./random-plan.js";

/**
 * Checks a plan of faults, which may come from a file.
 *
 * @throws {TypeError} when the plan is not a list of faults with known names and valid amounts.
 */
export function checkPlan(plan: unknown): asserts plan is FaultPlan {
  if (!Array.isArray(plan)) throw new TypeError("A plan is a list of faults");
  for (const [index, value] of plan.entries()) {
    const { fault, ms, bytes } = (value ?? {}) as {
      readonly fault?: never;
      readonly ms?: unknown;
      readonly bytes?: unknown;
    };
    const place = `The fault ${index + 1} of the plan`;
    if (!faultNames.includes(fault as never))
      throw new TypeError(`${place} must have one of the names ${faultNames.join(", ")}, not ${jsonText(fault)}`);
    const needsMs = fault === "delay" || fault === "slow";
    const hasMs = isAmount(ms) || (!needsMs && ms === undefined);
    if (!hasMs || !(bytes === undefined || isAmount(bytes)))
      throw new TypeError(`${place}, ${fault}, must have ${hasMs ? "bytes" : "ms"}: a number of 0 or more, or a range`);
  }
}

/** Returns whether a value is a number of milliseconds or bytes, or a range of them. */
function isAmount(value: unknown): boolean {
  const numbers = Array.isArray(value) && value.length === 2 ? value : [value];
  return numbers.every((each) => typeof each === "number" && each >= 0);
}
