import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildIr } from "./build-ir.js";
import { type LoadedSchema, loadSchema, schemaDirectory, schemaPaths } from "./load.js";
import type { RawDocument, RawSchema } from "./raw-schema.js";
import { surfaceOf } from "./surface.js";
import { gatesOf } from "./understand.js";

const schema = loadSchema(join(schemaDirectory, "v1/schema.json"));
const exportsOf = (loaded: LoadedSchema): ReadonlyMap<string, string> => {
  const ir = buildIr(loaded);
  return surfaceOf(ir, gatesOf(ir));
};
const before = exportsOf(schema);

function after(change: (definitions: Record<string, RawSchema>) => Record<string, RawSchema>): typeof before {
  const document: RawDocument = structuredClone(schema.document);
  return exportsOf({ ...schema, document: { ...document, $defs: change({ ...document.$defs }) } });
}

const differing = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));

describe("the surface of a schema", () => {
  it.each(schemaPaths)("can be computed for schema/%s", (path) => {
    expect(exportsOf(loadSchema(join(schemaDirectory, path))).size).toBeGreaterThan(200);
  });

  it("doesn't change with descriptions, nor with the order of definitions, members and values", () => {
    const reordered = after((definitions) =>
      Object.fromEntries(
        Object.entries(definitions)
          .reverse()
          .map(([name, one]) => [
            name,
            {
              ...one,
              ...(one.description === undefined ? {} : { description: `${one.description} In other words.` }),
              ...(one.properties === undefined || one.allOf !== undefined
                ? {}
                : { properties: Object.fromEntries(Object.entries(one.properties).reverse()) }),
            },
          ]),
      ),
    );
    expect(differing(before, reordered)).toEqual([]);
  });

  it("changes with the title of a branch without a tag, because the title names a type", () => {
    const renamed = after((definitions) => {
      const server = definitions.McpServer as { anyOf: { title?: string }[] };
      for (const branch of server.anyOf) if (branch.title === "stdio") branch.title = "local";
      return definitions;
    });
    expect(differing(before, renamed)).toEqual(expect.arrayContaining(["StdioMcpServer", "LocalMcpServer"]));
  });
});
