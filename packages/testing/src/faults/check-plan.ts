import { jsonText } from "../json-text.js";
import type { FaultPlan } from "./fault-plan.js";
import { faultNames } from "./random-plan.js";

/**
 * Checks a plan of faults, which may come from a file.
 *
 * @throws {TypeError} when the plan is not a list of faults with known names, known members and valid values.
 */
export function checkPlan(plan: unknown): asserts plan is FaultPlan {
  if (!Array.isArray(plan)) throw new TypeError("A plan is a list of faults");
  for (const [index, value] of plan.entries()) {
    const { fault, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
    const place = `The fault ${index + 1} of the plan`;
    if (!faultNames.includes(fault as never))
      throw new TypeError(`${place} must have one of the names ${faultNames.join(", ")}, not ${jsonText(fault)}`);
    if ((fault === "delay" || fault === "slow") && others.ms === undefined)
      throw new TypeError(`${place}, ${fault}, must have ms: ${members.ms.expected}`);
    for (const [name, member] of Object.entries(others)) {
      if (member === undefined) continue;
      if (!Object.hasOwn(members, name))
        throw new TypeError(`${place}, ${fault}, has the unknown member ${jsonText(name)}`);
      const { expected, isValid } = members[name as keyof typeof members];
      if (!isValid(member)) throw new TypeError(`${place}, ${fault}, must have ${name}: ${expected}`);
    }
  }
}

/** Returns whether a value is a number of milliseconds or bytes, or a range of them. */
function isAmount(value: unknown): boolean {
  const numbers = Array.isArray(value) && value.length === 2 ? value : [value];
  return numbers.every(isNumber);
}

/** Whether a value is a number of 0 or more, or `Infinity`: a fault at that byte never happens. */
function isNumber(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Returns whether a value, or each item of a list, passes the test. */
function isEach(value: unknown, isValid: (item: unknown) => boolean): boolean {
  return Array.isArray(value) ? value.every(isValid) : isValid(value);
}

const amount = { expected: "a number of 0 or more, or a range", isValid: isAmount };
const number = { expected: "a number of 0 or more", isValid: isNumber };
const count = { expected: "an integer of 0 or more", isValid: isCount };

function oneOf(...texts: readonly string[]): { readonly expected: string; isValid(value: unknown): boolean } {
  return { expected: texts.join(" or "), isValid: (value) => texts.includes(value as string) };
}

/** The members of faults besides their name. */
const members = {
  from: oneOf("agent", "client"),
  kind: oneOf("request", "notification", "response"),
  method: {
    expected: "a text, or a list of texts",
    isValid: (value: unknown) => isEach(value, (item) => typeof item === "string"),
  },
  update: {
    expected: "a text, or a list of texts",
    isValid: (value: unknown) => isEach(value, (item) => typeof item === "string"),
  },
  at: {
    expected: "an integer of 1 or more, or a list of integers",
    isValid: (value: unknown) => isEach(value, (item) => isCount(item) && item !== 0),
  },
  chance: {
    expected: "a number from 0 to 1",
    isValid: (value: unknown) => typeof value === "number" && value >= 0 && value <= 1,
  },
  times: number,
  ms: amount,
  bytes: amount,
  copies: count,
  by: number,
  messages: number,
  byte: number,
  atByte: number,
  exitCode: count,
  how: oneOf("ends", "breaks"),
  text: { expected: "a text", isValid: (value: unknown) => typeof value === "string" },
  anywhere: { expected: "true or false", isValid: (value: unknown) => typeof value === "boolean" },
} as const;
