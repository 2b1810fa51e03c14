import { describe, expect, it } from "vitest";
import { limitsOf } from "./limits-of.js";

interface Limits {
  readonly maxBytes?: number | undefined;
  readonly waitMs?: number | undefined;
}

const defaults: Required<Limits> = { maxBytes: 100, waitMs: 1_000 };

describe("limits", () => {
  it("have their default if they are missing or undefined", () => {
    expect(limitsOf("limits", defaults, undefined)).toEqual(defaults);
    expect(limitsOf("limits", defaults, { maxBytes: undefined, waitMs: 5 })).toEqual({ maxBytes: 100, waitMs: 5 });
  });

  it.each([0, 1.5, Number.POSITIVE_INFINITY])("may be %s", (maxBytes) => {
    expect(limitsOf("limits", defaults, { maxBytes }).maxBytes).toBe(maxBytes);
  });

  it.each([Number.NaN, -1, "100", null, true, {}])("can't be %s", (value) => {
    const given = { maxBytes: value } as unknown as Limits;
    expect(() => limitsOf("limits", defaults, given)).toThrow(
      `limits.maxBytes must be a number from 0 to Infinity, not ${String(value)}`,
    );
  });

  it.each([
    ["maxByte", '; did you mean "maxBytes"?'],
    ["toString", ""],
  ])("can't be called %s", (name, hint) => {
    const given: Limits = Object.fromEntries([[name, 1]]);
    expect(() => limitsOf("limits", defaults, given)).toThrow(new TypeError(`limits.${name} is unknown${hint}`));
  });
});
