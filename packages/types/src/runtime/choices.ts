import { type Check, fail, failOneOf } from "./run.js";
import { isObject } from "./scalars.js";
import { anyTag, anything } from "./unions.js";

/** Returns the check for a closed enum: the value must be one of these values. */
export function oneOf(...values: readonly unknown[]): Check {
  return (value, run) =>
    values.includes(value) || failOneOf(run, value, values.map((known) => JSON.stringify(known)).join(", "));
}

/**
 * Returns the check for an open union with a tag. A value with an unknown tag is passed to `other`, which accepts any
 * value by default.
 *
 * @param other - the check for a value with an unknown tag.
 */
export function tagged(tag: string, variants: Readonly<Record<string, Check>>, other: Check = anything): Check {
  return (value, run) => {
    if (!isObject(value)) return fail(run, value, "an object");
    const name = value[tag];
    const known = typeof name === "string" && Object.hasOwn(variants, name) ? variants[name] : undefined;
    if (known !== undefined) return known(value, run);
    return anyTag(value, run, tag) && other(value, run);
  };
}
