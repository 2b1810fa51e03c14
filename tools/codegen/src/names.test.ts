import { describe, expect, it } from "vitest";
import { documentOf, irOf } from "./case.js";
import { emitTypes } from "./emit-types.js";
import type { RawDocument } from "./raw-schema.js";

const typesOf = (definitions: RawDocument["$defs"]) => emitTypes(irOf(documentOf(definitions)), undefined);
const variant = (value: string) => ({
  type: "object",
  properties: { type: { type: "string", const: value } },
  required: ["type"],
});

describe("a name that can't be given stops the generation", () => {
  it("when a definition takes one that generated types use", async () => {
    await expect(typesOf({ Record: { type: "object" } })).rejects.toThrow('a definition is called "Record"');
  });

  it("when a definition takes that of another's receiving form", async () => {
    const definitions = { Block: { oneOf: [variant("a")] }, IncomingBlock: { type: "object" } };
    await expect(typesOf(definitions)).rejects.toThrow('the receiving form of "Block" would take the name');
  });

  it("when a definition can't name a type", async () => {
    await expect(typesOf({ "a-b": { type: "object" } })).rejects.toThrow('the definition "a-b" can\'t name a type');
  });

  it("when two tags make the same name", async () => {
    const definitions = { Block: { oneOf: [variant("a-b"), variant("a_b")] } };
    await expect(typesOf(definitions)).rejects.toThrow('two types would be called "ABBlock"');
  });

  it("when a branch without the tag has no title", async () => {
    const definitions = { Stdio: { type: "object" }, Server: { anyOf: [variant("http"), { $ref: "#/$defs/Stdio" }] } };
    await expect(typesOf(definitions)).rejects.toThrow("Server: a branch without a tag needs a title");
  });

  it("when a tagged union stands inside another type", async () => {
    const definitions = { Message: { type: "object", properties: { block: { oneOf: [variant("a")] } } } };
    await expect(typesOf(definitions)).rejects.toThrow('a union tagged "type" stands inside another type');
  });

  it("when members beside a union stand inside another type", async () => {
    const scoped = {
      type: "object",
      properties: { title: { type: "string" } },
      anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }],
    };
    const definitions = {
      A: { type: "object" },
      B: { type: "object" },
      Message: { type: "object", properties: { scoped } },
    };
    await expect(typesOf(definitions)).rejects.toThrow("members beside a union stand inside another type");
  });
});
