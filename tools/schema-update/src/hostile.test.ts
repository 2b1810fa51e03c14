import { gzipSync } from "node:zlib";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, it } from "vitest";
import { document } from "../test/cases/case.js";
import { compareModels } from "./compare/compare.js";
import { gravest } from "./difference.js";
import { type Model, modelOf } from "./model.js";
import { type JsonObject, readSchemaFile } from "./source/schema-file.js";
import { readTarball } from "./source/tarball.js";

function read(definitions: JsonObject): Model {
  const text = JSON.stringify(document({ AskRequest: method, AskResponse: method, ...definitions }));
  return modelOf(readSchemaFile("schema.json", new TextEncoder().encode(text), []));
}

const method = { type: "object", "x-method": "do/it", "x-side": "agent" };
const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });

describe("a schema that is too deep or cyclic is refused with a message", () => {
  it("if it is nested 10,000 levels deep", () => {
    const text = `{"$defs":{"A":${'{"items":'.repeat(10_000)}{}${"}".repeat(10_000)}}}`;
    expect(() => readSchemaFile("a.json", new TextEncoder().encode(text), [])).toThrow(
      "a.json can't be read: it nests deeper than 200 levels",
    );
  });

  it("if definitions only refer to each other", () => {
    const definitions = { A: { anyOf: [ref("B"), { type: "null" }] }, B: { allOf: [ref("A")] } };
    expect(() => read(definitions)).toThrow(
      "can't read schema.json:\n- $defs: a definition contains itself: A → B → A",
    );
  });

  it("if a definition contains itself in a member", () => {
    const tree = { type: "array", items: ref("Tree") };
    expect(() => read({ Tree: { type: "object", properties: { trees: tree } } })).toThrow("Tree → Tree");
  });

  it("if 10,000 definitions are aliases of each other", () => {
    const names = Array.from({ length: 10_000 }, (_, index) => [`D${index}`, ref(`D${index + 1}`)]);
    expect(() => read({ ...Object.fromEntries(names), D10000: { type: "string" } })).toThrow(
      "leads through 10001 references",
    );
  });
});

describe("a description on which a careless regular expression would take exponential time", () => {
  const runs: readonly (readonly [name: string, proseOf: (size: number) => string])[] = [
    ["links that never close", (size) => "](".repeat(size)],
    ["brackets in links", (size) => "](a[".repeat(size)],
    ["addresses", (size) => "https://".repeat(size)],
    ["code and spaces before a word", (size) => `\`a\`${" ".repeat(size)}capabil`],
    ["code without an end", (size) => "`a".repeat(size)],
    ["sentences about capabilities", (size) => "only a capability of `a`. ".repeat(size)],
    ["spaces", (size) => `${" \n".repeat(size)}x`],
    ["backticks", (size) => "`".repeat(size)],
    ["capitals", (size) => "Aa".repeat(size)],
  ];

  it.each(runs)("%s: is read in linear time", async (_, proseOf) => {
    expect(await growthOf((size) => expect(differencesOf(proseOf(size))).toBe("breaking"))).toBeLessThan(LINEAR);
  });

  function differencesOf(prose: string): string | undefined {
    const on = { type: "boolean", description: `${prose} only \`x\` capability` };
    const schema = (text: string, ...variants: object[]): Model =>
      read({
        AskRequest: { ...method, description: text, properties: { it: ref("It") } },
        It: { oneOf: [{ type: "string", const: "a" }, ...variants] },
        AgentCapabilities: { type: "object", properties: { on } },
      });
    const differences = compareModels(
      schema(prose),
      schema(on.description, { type: "string", const: "b", description: prose }, { type: "string", const: prose }),
    );
    return gravest(differences);
  }

  it("many digits in the header of an archive are read in linear time", async () => {
    const read = (digits: number): void => {
      const header = Buffer.alloc(512);
      header.write("pax", 0);
      header.write(digits.toString(8).padStart(11, "0"), 124);
      header.write("x", 156);
      const content = Buffer.alloc(Math.ceil(digits / 512) * 512, "1");
      expect(readTarball(gzipSync(Buffer.concat([header, content, Buffer.alloc(1024)]))).size).toBe(0);
    };
    expect(await growthOf(read)).toBeLessThan(LINEAR);
  });
});
