import { describe, expect, it } from "vitest";
import { documentOf, irOf } from "../test/case.js";
import { emitTypes } from "./emit-types.js";
import type { RawDocument } from "./raw-schema.js";

const typesOf = (definitions: RawDocument["$defs"]) => emitTypes(irOf(documentOf(definitions)), undefined);
const variant = (value: string) => ({
  type: "object",
  properties: { type: { type: "string", const: value } },
  required: ["type"],
});

describe("an impossible name stops the generation", () => {
  it("if a definition has a name that the generated code uses", async () => {
    await expect(typesOf({ Record: { type: "object" } })).rejects.toThrow('a definition is called "Record"');
  });

  it("if a definition has the name of the receiving type of another definition", async () => {
    const definitions = { Block: { oneOf: [variant("a")] }, IncomingBlock: { type: "object" } };
    await expect(typesOf(definitions)).rejects.toThrow('the receiving form of "Block" would take the name');
  });

  it("if a definition's name is not a valid type name", async () => {
    await expect(typesOf({ "a-b": { type: "object" } })).rejects.toThrow('the definition "a-b" can\'t name a type');
  });

  it("if two tags produce the same name", async () => {
    const definitions = { Block: { oneOf: [variant("a-b"), variant("a_b")] } };
    await expect(typesOf(definitions)).rejects.toThrow('two types would be called "ABBlock"');
  });

  it("if a branch of a tagged union has neither the tag nor a title", async () => {
    const definitions = { Stdio: { type: "object" }, Server: { anyOf: [variant("http"), { $ref: "#/$defs/Stdio" }] } };
    await expect(typesOf(definitions)).rejects.toThrow("Server: a branch without a tag needs a title");
  });

  it("if a tagged union is inside another type", async () => {
    const definitions = { Message: { type: "object", properties: { block: { oneOf: [variant("a")] } } } };
    await expect(typesOf(definitions)).rejects.toThrow('a union tagged "type" stands inside another type');
  });

  it("if an object with a union beside its members is inside another type", async () => {
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
