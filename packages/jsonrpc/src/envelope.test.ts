import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson } from "../test/large-json.js";
import { classify, isRequestId, MAX_METHOD_LENGTH } from "./envelope.js";

const kindOf = (value: unknown): string => {
  const kind = classify(value);
  return typeof kind === "string" ? kind : `invalid, likely a ${kind.likely}`;
};

describe("a message is classified by its members", () => {
  it.each([
    ["request", { jsonrpc: "2.0", id: 1, method: "m" }],
    ["request", { jsonrpc: "2.0", id: 1, method: "m", params: null }],
    ["request", { jsonrpc: "2.0", id: null, method: "m" }],
    ["notification", { jsonrpc: "2.0", method: "m", params: {} }],
    ["notification", { jsonrpc: "2.0", method: "", extra: true }],
    ["response", { jsonrpc: "2.0", id: 1, result: null }],
    ["response", { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } }],
  ])("%s: %j", (kind, value) => expect(kindOf(value)).toBe(kind));

  it("a name of a method has a bounded length, because errors repeat it", () => {
    const method = "m".repeat(MAX_METHOD_LENGTH);
    expect(kindOf({ jsonrpc: "2.0", id: 1, method })).toBe("request");
    expect(classify({ jsonrpc: "2.0", id: 1, method: `${method}m` })).toMatchObject({
      id: 1,
      reason: "`method` must be a string of at most 1000 characters",
    });
    expect(kindOf({ jsonrpc: "2.0", method: `${method}m` })).toBe("invalid, likely a notification");
  });

  it.each([
    ["without `jsonrpc`", { id: 1, result: {} }],
    [
      "of a serializer that writes every member",
      { jsonrpc: "2.0", id: 1, method: null, params: null, result: {}, error: null },
    ],
    [
      "without an id, as some agents respond to input they could not read",
      { jsonrpc: "2.0", error: { code: -32700, message: "?" } },
    ],
    ["with an id of any kind", { jsonrpc: "2.0", id: { a: 1 }, result: {} }],
  ])("a response %s is still accepted: refusing it would leave a request pending for ever", (_, value) => {
    expect(kindOf(value)).toBe("response");
  });
});

describe("RPC-14 an invalid message gets an error with the id that could be read", () => {
  it.each([
    ["a number", 42, null],
    ["a string", "x", null],
    ["null", null, null],
    ["true", true, null],
    ["an empty object", {}, null],
    ["an object with an id only", { jsonrpc: "2.0", id: "a" }, "a"],
    ["another version", { jsonrpc: "1.0", id: 1, method: "initialize" }, 1],
    ["no version", { id: "x", method: "initialize" }, "x"],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "x" }, null],
    ["an id that is a boolean", { jsonrpc: "2.0", id: true, method: "x" }, null],
    ["a method that is a number", { jsonrpc: "2.0", id: 7, method: 1 }, 7],
    ["the specification's own example", { jsonrpc: "2.0", method: 1, params: "bar" }, null],
  ])("%s", (_, value, id) => {
    expect(classify(value)).toMatchObject({ id, reason: expect.stringMatching(/./) });
    expect(kindOf(value)).not.toContain("notification");
  });

  it.each([[[]], [[1]], [[{ jsonrpc: "2.0", id: 1, method: "x" }]]])(
    "RPC-12 the array %j, once and without an id",
    (value) => {
      expect(classify(value)).toMatchObject({ id: null, reason: expect.stringContaining("batches") });
    },
  );
});

it("RPC-05 a broken notification is recognised, because notifications never get a response", () => {
  expect(kindOf({ method: "session/cancel" })).toBe("invalid, likely a notification");
  expect(kindOf({ jsonrpc: "1.0", method: "session/cancel" })).toBe("invalid, likely a notification");
});

describe("RPC-06 ids are null, strings and integers that can be echoed", () => {
  it.each([7, "7", "", 0, -1, "9007199254740993", Number.MAX_SAFE_INTEGER, null])("%j is a valid id", (id) => {
    expect(isRequestId(id)).toBe(true);
    expect(kindOf({ jsonrpc: "2.0", id, method: "m" })).toBe("request");
  });

  it.each([1.5, JSON.parse("9007199254740993"), Number.NaN, 1e300, true, [], {}])("%j is not a valid id", (id) => {
    expect(isRequestId(id)).toBe(false);
    expect(classify({ jsonrpc: "2.0", id, method: "m" })).toMatchObject({ id: null });
  });
});

it("classifies any JSON value without throwing, and accepts only valid messages", () => {
  const member = fc.constantFrom("jsonrpc", "id", "method", "params", "result", "error", "__proto__", "x");
  const value = fc.oneof(
    anyJson,
    fc.dictionary(member, fc.oneof(anyJson, fc.constantFrom("2.0", "1.0", "m", 1, null))),
  );
  fc.assert(
    fc.property(value, (value) => {
      const kind = classify(value);
      const { jsonrpc, id, method } = (value ?? {}) as Record<string, unknown>;
      if (kind === "request") expect([jsonrpc, typeof method, isRequestId(id)]).toEqual(["2.0", "string", true]);
      else if (kind === "notification") expect([jsonrpc, typeof method, id]).toEqual(["2.0", "string", undefined]);
      else if (kind === "response") expect("result" in Object(value) || "error" in Object(value)).toBe(true);
      else expect(isRequestId(kind.id)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
