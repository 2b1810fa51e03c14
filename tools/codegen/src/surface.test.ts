import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadSchema, schemaDirectory, schemaPaths } from "./load.js";
import type { RawDocument, RawSchema } from "./raw-schema.js";
import { type Surface, surfaceOf } from "./surface.js";

const schema = loadSchema(join(schemaDirectory, "v1/schema.json"));
const before = surfaceOf(schema);

function after(change: (definitions: Record<string, RawSchema>) => Record<string, RawSchema>): Surface {
  const document: RawDocument = structuredClone(schema.document);
  return surfaceOf({ ...schema, document: { ...document, $defs: change({ ...document.$defs }) } });
}

const differing = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));

describe("the surface of a schema", () => {
  it.each(schemaPaths)("can be computed for schema/%s", (path) => {
    const { exports, decoders, methods } = surfaceOf(loadSchema(join(schemaDirectory, path)));
    expect(exports.size).toBeGreaterThan(200);
    expect(decoders.size).toBeGreaterThan(20);
    expect(methods.size).toBeGreaterThan(15);
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
    expect(differing(before.exports, reordered.exports)).toEqual([]);
    expect(differing(before.methods, reordered.methods)).toEqual([]);
  });

  it("changes with the title of a branch without a tag, because the title names a type", () => {
    const renamed = after((definitions) => {
      const server = definitions.McpServer as { anyOf: { title?: string }[] };
      for (const branch of server.anyOf) if (branch.title === "stdio") branch.title = "local";
      return definitions;
    });
    expect(differing(before.exports, renamed.exports)).toEqual(
      expect.arrayContaining(["StdioMcpServer", "LocalMcpServer"]),
    );
  });

  it("changes with the order in which a decoder tries alternatives", () => {
    const swapped = after((definitions) => {
      const resource = definitions.EmbeddedResourceResource as { anyOf: RawSchema[] };
      resource.anyOf.reverse();
      return definitions;
    });
    expect(differing(before.exports, swapped.exports)).toEqual([]);
    expect(differing(before.decoders, swapped.decoders)).toContain("PromptRequest");
  });
});
