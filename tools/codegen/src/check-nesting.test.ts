import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { documentOf, irOf } from "../test/case.js";
import { checkNesting, checkReferences, referencesIn } from "./check-nesting.js";
import { loadManifest, readSchema } from "./load.js";
import type { RawSchema } from "./raw-schema.js";

const ref = (name: string): RawSchema => ({ $ref: `#/$defs/${name}` });

function nested(depth: number): string {
  return `${'{"type":"array","items":'.repeat(depth)}{}${"}".repeat(depth)}`;
}

describe("a schema with cycles or too much nesting is refused with a message", () => {
  it("if definitions contain each other", () => {
    const definitions = {
      A: { type: "object", properties: { b: ref("B") } },
      B: { type: "object", properties: { a: ref("A") } },
    };
    expect(() => irOf(documentOf(definitions))).toThrow("a definition contains itself: A → B → A (at #/$defs)");
  });

  it("if a capability contains itself", () => {
    const definitions = { AgentCapabilities: { type: "object", properties: { more: ref("AgentCapabilities") } } };
    expect(() => irOf(documentOf(definitions))).toThrow(
      "a definition contains itself: AgentCapabilities → AgentCapabilities",
    );
  });

  it("if it is nested 10,000 levels deep", () => {
    const definitions = { A: JSON.parse(nested(10_000)) as RawSchema };
    expect(() => irOf(documentOf(definitions))).toThrow("(root): it nests deeper than 200 levels");
    const bytes = Buffer.from(`{"$defs":{"A":${nested(10_000)}}}`);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const manifest = loadManifest();
    const files = manifest.files.map((file) => ({ ...file, sha256, size: bytes.byteLength, definitions: 1 }));
    expect(() => readSchema("v1/schema.json", bytes, { ...manifest, files })).toThrow(
      "schema/v1/schema.json can't be read: it nests deeper than 200 levels",
    );
  });

  it("if 10,000 definitions form a chain of references", () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `D${index}`,
        index === 9_999 ? { type: "string" } : { type: "array", items: ref(`D${index + 1}`) },
      ]),
    );
    expect(() => irOf(documentOf(definitions))).toThrow('"D0" leads through 10000 references; the tools follow 400');
  });
});

describe("references", () => {
  it("are found at every place, each once", () => {
    expect(referencesIn({ allOf: [ref("A")], properties: { a: ref("A"), b: { items: ref("B") }, $ref: {} } })).toEqual(
      expect.arrayContaining(["A", "B"]),
    );
  });

  it("are followed once each, so that the time does not grow with the number of paths to a definition", () => {
    const wide = new Map(
      Array.from({ length: 300 }, (_, index) => [`L${index}`, Array.from({ length: 20 }, () => `L${index + 1}`)]),
    );
    expect(() => checkReferences(wide)).not.toThrow();
  });

  it("to a missing definition are ignored, because the dialect check refuses them", () => {
    expect(() => checkReferences(new Map([["A", ["Nothing"]]]))).not.toThrow();
    expect(() => checkNesting({ a: [{ b: null }] })).not.toThrow();
  });
});

describe("names of members that every JavaScript object inherits", () => {
  const member = { type: "string" };

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])("%s is treated as a normal member", (name) => {
    const schema = JSON.parse(
      `{"type":"object","properties":{${JSON.stringify(name)}:{"type":"string"}}}`,
    ) as RawSchema;
    const node = irOf(documentOf({ A: schema })).definitions.get("A")?.node;
    expect(node).toMatchObject({ kind: "object", properties: [{ name }] });
  });

  it("a required member with an inherited name must be declared", () => {
    const schema = { type: "object", properties: { a: member }, required: ["constructor"] };
    expect(() => irOf(documentOf({ A: schema }))).toThrow('"constructor" is required but not declared');
  });

  it("a definition may have an inherited name", () => {
    expect(irOf(documentOf({ constructor: member } as never)).definitions.has("constructor")).toBe(true);
    expect(() => irOf(documentOf({ A: ref("toString") }))).toThrow("which is not a definition");
  });
});
