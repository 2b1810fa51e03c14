import { expect, it } from "vitest";
import { jsonText, maxJsonDepth } from "./json-text.js";

it.each([
  ["lists", (inner: unknown) => [inner]],
  ["objects", (inner: unknown) => ({ a: inner })],
])("hostile.json-output: %s nested without end are cut off at a depth", (_name, nest) => {
  let value: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) value = nest(value);
  const text = jsonText({ value, other: [1, { b: null }] });
  expect(text).toContain(`… nested deeper than ${maxJsonDepth} levels`);
  expect(JSON.parse(text)).toMatchObject({ other: [1, { b: null }] });
});

it("hostile.json-output: contains no control characters, also none that JSON does not escape", () => {
  const value = { "\u009b2J": "a\u007fb\u0080\u009f\u001b[31m\u00a0é" };
  const text = jsonText(value);
  expect(text).toBe(String.raw`{"\u009b2J":"a\u007fb\u0080\u009f\u001b[31m${"\u00a0é"}"}`);
  expect(JSON.parse(text)).toEqual(value);
});

it("prints all other values unchanged", () => {
  const value = { a: [1, "two", null, { b: true }], __proto__x: {}, date: new Date(0) };
  expect(jsonText(value)).toBe(JSON.stringify(value));
});
