import { describe, expect, it } from "vitest";
import { oneOf, tagged } from "./choices.js";
import { decoder } from "./decoder.js";
import { formatIssue, type Issue } from "./issue.js";
import { lenientList, list } from "./lists.js";
import type { Check } from "./run.js";
import { struct, type Test } from "./struct.js";

const string: Test = { expected: "a string", holds: (value) => typeof value === "string" };
const optional = 1;
const nullable = 2;
const mended = 4;
const emptied = 8;
const filled = 16;

/** The outcome of a check: the value and its repairs, or the fault. */
function read(check: Check, value: unknown): { value: unknown; salvaged: string[] } | string[] {
  const result = decoder(check).try(value);
  const told = (issues: readonly Issue[]) => issues.map(formatIssue);
  return result.ok ? { value: result.value, salvaged: told(result.salvaged) } : told(result.issues);
}

describe("an object as data", () => {
  it("must be an object", () => {
    expect(read(struct({}), [])).toEqual(["must be an object (got array)"]);
  });

  it("keeps members that it doesn't know", () => {
    expect(read(struct({ a: string }), { a: "x", b: 1 })).toEqual({ value: { a: "x", b: 1 }, salvaged: [] });
  });

  it("is refused for a required member that is missing, null or wrong", () => {
    const check = struct({ a: string });
    expect(read(check, {})).toEqual(["a: must be a string (missing)"]);
    expect(read(check, { a: null })).toEqual(["a: must be a string (got null)"]);
    expect(read(check, { a: 1 })).toEqual(["a: must be a string (got number)"]);
  });

  it("may lack a loose member, or have it as null, and loses an invalid one", () => {
    const check = struct({}, { a: string });
    expect(read(check, {})).toEqual({ value: {}, salvaged: [] });
    expect(read(check, { a: null })).toEqual({ value: { a: null }, salvaged: [] });
    expect(read(check, { a: 1 })).toEqual({
      value: {},
      salvaged: ["a: left out: must be a string or null (got number)"],
    });
  });

  it("gets a default where the member is absent, unreported, and where it is wrong", () => {
    const check = struct({}, {}, { a: [mended + filled, string, "x"] });
    expect(read(check, {})).toEqual({ value: { a: "x" }, salvaged: [] });
    expect(read(check, { a: 1 })).toEqual({
      value: { a: "x" },
      salvaged: ['a: read as "x": must be a string (got number)'],
    });
  });

  it("gets a new default each time, not a shared one", () => {
    const check = struct({}, {}, { a: [filled, struct({}), () => ({})] });
    const [first, second] = [{}, {}];
    read(check, first);
    read(check, second);
    expect(first).toEqual({ a: {} });
    expect(Reflect.get(first, "a")).not.toBe(Reflect.get(second, "a"));
  });

  it("is refused for a missing member without a fallback, though a wrong one would be repaired", () => {
    const check = struct({}, {}, { a: [mended, [lenientList, struct({})]] });
    expect(read(check, {})).toEqual(["a: must be an array (missing)"]);
    expect(read(check, { a: 1 })).toEqual({
      value: { a: [] },
      salvaged: ["a: read as []: must be an array (got number)"],
    });
  });

  it("leaves out a wrong list that might be null as well", () => {
    expect(read(struct({}, { a: [lenientList, struct({})] }), { a: 1 })).toEqual({
      value: {},
      salvaged: ["a: left out: must be an array (got number)"],
    });
  });

  it("reads null as empty where the schema says so", () => {
    const rule = optional + emptied;
    const check = struct({}, {}, { list: [rule, [list, struct({})]], object: [rule, struct({})] });
    expect(read(check, { list: null, object: null })).toEqual({
      value: { list: [], object: {} },
      salvaged: ["list: read as []: must be an array (got null)", "object: read as {}: must be an object (got null)"],
    });
  });

  it("reports faults and repairs inside a member by their whole path", () => {
    const inner = struct({ deep: string }, { soft: string });
    expect(read(struct({ a: inner }), { a: { deep: 1 } })).toEqual(["a.deep: must be a string (got number)"]);
    expect(read(struct({ a: [list, inner] }), { a: [{ deep: "x", soft: 1 }] })).toEqual({
      value: { a: [{ deep: "x" }] },
      salvaged: ["a[0].soft: left out: must be a string or null (got number)"],
    });
  });

  it("passes flattened members on to their check", () => {
    const check = struct({ a: string }, {}, { n: [optional + nullable, string] }, struct({ b: string }));
    expect(read(check, { a: "x", b: "y", n: null })).toEqual({ value: { a: "x", b: "y", n: null }, salvaged: [] });
    expect(read(check, { a: "x" })).toEqual(["b: must be a string (missing)"]);
    expect(read(check, { a: "x", b: "y", n: 1 })).toEqual(["n: must be a string or null (got number)"]);
  });
});

describe("a tagged union as data", () => {
  const check = tagged("type", { text: struct({ text: string }) }, struct({ id: string }));

  it("is decoded by its tag", () => {
    expect(read(check, { type: "text", text: "x" })).toEqual({ value: { type: "text", text: "x" }, salvaged: [] });
    expect(read(check, { type: "text" })).toEqual(["text: must be a string (missing)"]);
  });

  it("accepts an unknown tag, with the members it must have", () => {
    expect(read(check, { type: "new", id: "x" })).toEqual({ value: { type: "new", id: "x" }, salvaged: [] });
    expect(read(check, { type: "new" })).toEqual(["id: must be a string (missing)"]);
  });

  it("recognises no tag that every object inherits", () => {
    for (const type of ["constructor", "__proto__", "toString"]) {
      expect(read(tagged("type", { text: struct({}) }), { type })).toEqual({ value: { type }, salvaged: [] });
    }
  });

  it("has a tag, and is an object", () => {
    expect(read(check, {})).toEqual(["type: must be a string (missing)"]);
    expect(read(check, "text")).toEqual(["must be an object (got string)"]);
  });
});

describe("a closed enum as data", () => {
  it("quotes the value and the known ones", () => {
    const check = struct({ a: oneOf("x", "y") });
    expect(read(check, { a: "y" })).toEqual({ value: { a: "y" }, salvaged: [] });
    expect(read(check, { a: "z" })).toEqual(['a: must be one of "x", "y" (got "z")']);
    expect(read(check, {})).toEqual(['a: must be one of "x", "y" (missing)']);
  });
});
