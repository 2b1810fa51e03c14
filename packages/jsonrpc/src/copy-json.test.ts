import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { largeJson } from "../test/large-json.js";
import { copyJson } from "./copy-json.js";

describe("a copy of a message", () => {
  it("equals its JSON text parsed again, whatever it holds", () => {
    const odd = fc.constantFrom<unknown>(
      undefined,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      -0,
      () => {},
      Symbol("s"),
      new Date(0),
      new Map([[1, 2]]),
      { toJSON: () => ({ instead: true }) },
      Object.assign([1], { extra: 2 }),
      new Array(3),
      Object.create({ inherited: 1 }),
      Object.create(null),
      JSON.parse('{"__proto__":{"a":1}}'),
      new String("boxed"),
      { [Symbol("hidden")]: 1, seen: 2 },
      Object.defineProperty({ seen: 1 }, "unseen", { value: 2, enumerable: false }),
    );
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: "binary" }),
        fc.double(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        odd,
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie("node"), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.oneof({ arbitrary: value, weight: 9 }, { arbitrary: largeJson, weight: 1 }), (node) => {
        const message = { node };
        const text = JSON.stringify(message);
        const { value: copy, size } = copyJson(message);
        expect(copy).toStrictEqual(JSON.parse(text));
        expect(JSON.stringify(copy)).toBe(text);
        expect(size).toBeGreaterThan(0);
        expect(size).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });

  it("knows the length of that text, as long as nothing in it is escaped", () => {
    const message = {
      id: 17,
      list: [1.5, true, false, null, [], {}],
      text: "grüße",
      gone: undefined,
      nested: { a: [{}] },
    };
    expect(copyJson(message).size).toBe(JSON.stringify(message).length);
  });

  it("shares no object with the original", () => {
    const message = { params: { list: [{ a: 1 }] } };
    const { value } = copyJson(message);
    (message.params.list[0] as { a: number }).a = 2;
    message.params.list.push({ a: 3 });
    expect(value).toEqual({ params: { list: [{ a: 1 }] } });
  });

  it("throws for values that JSON can't represent: cycles and big integers", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => copyJson(cycle)).toThrow(TypeError);
    expect(() => copyJson({ n: 1n })).toThrow(TypeError);
  });

  it("is limited in depth and nodes", () => {
    const nested = (levels: number): unknown => {
      let deep: unknown = "end";
      for (let i = 0; i < levels; i++) deep = i % 2 === 0 ? [deep] : { deep };
      return deep;
    };
    for (const levels of [1, 20, 99, 100, 101, 512]) {
      expect(copyJson(nested(levels))).toMatchObject({ value: nested(levels), problem: undefined });
    }
    expect(copyJson(nested(21), { maxMessageDepth: 20, maxMessageNodes: 100 }).problem).toContain("deeper");
    for (const levels of [513, 3_000]) expect(copyJson(nested(levels)).problem).toContain("limit of 512 levels");
    expect(() => copyJson(nested(10_000))).toThrow(TypeError);
    const list = new Array(100).fill(1);
    expect(copyJson(list, { maxMessageDepth: 5, maxMessageNodes: 100 }).problem).toBeUndefined();
    expect(copyJson(list, { maxMessageDepth: 5, maxMessageNodes: 99 }).problem).toContain("more nodes");
  });
});
