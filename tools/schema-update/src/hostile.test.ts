import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { diffSchemas } from "./diff.js";
import type { JsonObject } from "./normalize/json.js";
import { readSchemaFile } from "./source/schema-file.js";
import { readTarball } from "./source/tarball.js";

function read(document: unknown): JsonObject {
  return readSchemaFile("schema.json", new TextEncoder().encode(JSON.stringify(document)), []).document;
}

const method = { "x-method": "do/it", "x-side": "agent" };
const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });

describe("a schema that is too deep or cyclic is refused with a message", () => {
  it("if it is nested 10,000 levels deep", () => {
    const text = `{"$defs":{"A":${'{"items":'.repeat(10_000)}{}${"}".repeat(10_000)}}}`;
    expect(() => readSchemaFile("a.json", new TextEncoder().encode(text), [])).toThrow(
      "a.json can't be read: it nests deeper than 200 levels",
    );
  });

  it("if definitions only refer to each other", () => {
    expect(() => read({ $defs: { A: { anyOf: [ref("B"), { type: "null" }] }, B: { allOf: [ref("A")] } } })).toThrow(
      "schema.json can't be read: a definition contains itself: A → B → A",
    );
  });

  it("if 10,000 definitions are aliases of each other", () => {
    const names = Array.from({ length: 10_000 }, (_, index) => [`D${index}`, ref(`D${index + 1}`)]);
    expect(() => read({ $defs: Object.fromEntries(names) })).toThrow("leads through 10001 references");
  });
});

describe("a definition that contains itself in a member is compared, although the generator refuses it", () => {
  const tree = (extra: object): JsonObject => ({
    $defs: {
      AskRequest: { type: "object", properties: { tree: ref("Tree") }, ...method },
      Tree: { type: "object", properties: { left: ref("Tree"), right: ref("Branch"), ...extra } },
      Branch: { type: "array", items: ref("Tree") },
    },
  });

  it("and its changes are found", () => {
    const diff = diffSchemas(read(tree({})), read(tree({ leaf: { type: "string" } })));
    expect(diff.changes.map(({ path }) => path)).toEqual(["Tree.leaf"]);
    expect(diff.api.estimated).toBeDefined();
  });

  it("even if one of its definitions was renamed", () => {
    const renamed = JSON.parse(JSON.stringify(tree({})).replaceAll("Branch", "Boughs")) as JsonObject;
    const diff = diffSchemas(tree({}), renamed);
    expect(diff).toMatchObject({ wire: "none", class: "api" });
    expect(diff.api.renamed).toEqual([{ before: "Branch", after: "Boughs" }]);
  });
});

describe("a description on which a careless regular expression would take exponential time", () => {
  const runs: readonly (readonly [name: string, prose: string])[] = [
    ["links that never close", "](".repeat(150_000)],
    ["brackets in links", "](a[".repeat(100_000)],
    ["addresses", "https://".repeat(50_000)],
    ["code and spaces before a word", `\`a\`${" ".repeat(200_000)}capabil`],
    ["code without an end", "`a".repeat(150_000)],
    ["sentences about capabilities", "only a capability of `a`. ".repeat(20_000)],
    ["spaces", `${" \n".repeat(150_000)}x`],
    ["backticks", "`".repeat(300_000)],
    ["capitals", "Aa".repeat(100_000)],
  ];

  it.each(runs)("%s: is read in linear time", (_, prose) => {
    const document = (text: string): JsonObject => ({
      $defs: {
        AskRequest: { type: "object", description: text, properties: { it: { anyOf: [{ const: "a" }] } }, ...method },
        XCapabilities: { type: "object", properties: { on: { type: "boolean", description: text } } },
      },
    });
    const after = document(`${prose} only \`x\` capability`);
    const [ask] = [(after.$defs as { AskRequest: { properties: { it: { anyOf: object[] } } } }).AskRequest];
    ask.properties.it.anyOf.push({ const: "b", description: prose }, { const: prose });
    expect(diffSchemas(document(prose), after).class).toBe("breaking");
  });

  it("names of 100,000 letters are read in linear time", () => {
    const name = "Batch".repeat(20_000);
    const document = { anyOf: [ref(`${name}-`)], $defs: { [name]: { type: "object", ...method } } };
    expect(diffSchemas(document, document).class).toBe("none");
  });

  it("many digits in the header of an archive are read in linear time", () => {
    const header = Buffer.alloc(512);
    header.write("pax", 0);
    header.write((300_000).toString(8).padStart(11, "0"), 124);
    header.write("x", 156);
    const content = Buffer.alloc(Math.ceil(300_000 / 512) * 512, "1");
    expect(readTarball(gzipSync(Buffer.concat([header, content, Buffer.alloc(1024)]))).size).toBe(0);
  });
});
