import { describe, expect, it } from "vitest";
import { diffSchemas } from "./diff.js";
import { diffSources } from "./diff-sources.js";
import { temporaryTree } from "./fixtures/tree.js";
import type { JsonObject } from "./normalize/json.js";
import { openSource } from "./source/open-source.js";

const reference = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const object: JsonObject = { type: "object" };

/** Creates a schema whose requests are named by `meta.json` alone, as in files before `x-method`. */
function schemaOf(...stems: readonly string[]): JsonObject {
  const list = (kind: string): JsonObject => ({ anyOf: stems.map((stem) => reference(`${stem}${kind}`)) });
  const payloads = stems.flatMap((stem) => [
    [`${stem}Request`, { ...object, properties: { cwd: { type: "string" } } }],
    [`${stem}Response`, object],
  ]);
  return {
    $defs: { ...Object.fromEntries(payloads), ClientRequest: list("Request"), AgentResponse: list("Response") },
  };
}

function metaOf(...names: readonly string[]): JsonObject {
  return { agentMethods: Object.fromEntries(names.map((name) => [name.replaceAll("/", "_"), name])) };
}

const open = { document: schemaOf("NewSession"), meta: metaOf("session/new") };
const both = { document: schemaOf("NewSession", "ForkSession"), meta: metaOf("session/new", "session/fork") };

describe("meta.json", () => {
  it("names a new method that has no x-method", () => {
    const diff = diffSchemas(open.document, both.document, {}, { meta: { before: open.meta, after: both.meta } });
    expect(diff.methods).toMatchObject([{ name: "session/fork", side: "agent", change: "added", says: "is new" }]);
    expect(diff.wire).toBe("additive");
  });

  it("names a new method without a definition", () => {
    const meta = { before: open.meta, after: metaOf("session/new", "session/ping") };
    const diff = diffSchemas(open.document, open.document, {}, { meta });
    expect(diff.methods).toMatchObject([{ name: "session/ping", side: "agent", change: "added" }]);
    expect(diff.class).toBe("additive");
  });

  it("of the new file without a method of the old file means that the method was removed", () => {
    const diff = diffSchemas(both.document, open.document, {}, { meta: { before: both.meta, after: open.meta } });
    expect(diff.methods).toMatchObject([{ name: "session/fork", change: "removed", class: "breaking" }]);
  });

  it.each([
    ["only the new file has a meta.json", undefined, both.meta],
    ["only the old file has a meta.json", both.meta, undefined],
    ["both files have a meta.json", both.meta, both.meta],
    ["neither file has a meta.json", undefined, undefined],
    [
      "only the new file has a meta.json, with a method that has no definition",
      undefined,
      metaOf("session/new", "session/ping"),
    ],
  ])("causes no added or removed method if the methods are the same and %s", (_, before, after) => {
    const diff = diffSchemas(both.document, both.document, {}, { meta: { before, after } });
    expect(diff.methods).toEqual([]);
    expect(diff.class).toBe("none");
  });

  it("adds nothing if x-method of the new file has the names of the old file's meta.json", () => {
    const { $defs } = open.document as { readonly $defs: Readonly<Record<string, JsonObject>> };
    const marked = Object.fromEntries(
      Object.entries($defs).map(([name, schema]) => [
        name,
        name.startsWith("NewSession") ? { ...schema, "x-method": "session/new", "x-side": "agent" } : schema,
      ]),
    );
    const diff = diffSchemas(open.document, { $defs: marked }, {}, { meta: { before: open.meta, after: undefined } });
    expect(diff.methods).toEqual([]);
    expect(diff.wire).toBe("none");
  });

  it("is read from the folder of the schema file", async () => {
    using tree = temporaryTree({
      "a/schema.json": JSON.stringify(open.document),
      "a/meta.json": JSON.stringify(open.meta),
      "b/schema.json": JSON.stringify(both.document),
      "b/meta.json": JSON.stringify(both.meta),
    });
    const diff = diffSources(await openSource("a", tree.root), await openSource("b", tree.root));
    expect(diff.schemas.flatMap(({ methods }) => methods.map(({ name, change }) => `${change} ${name}`))).toEqual([
      "added session/fork",
    ]);
  });
});
