import { describe, expect, it } from "vitest";
import { diffSchemas, type FileDiff } from "./diff.js";
import { release } from "./fixtures/releases.js";
import { isObject, type JsonObject } from "./normalize/json.js";

/** Cases in which a comparison of texts or names is wrong, made from real releases. */
function file(version: string, path: string): JsonObject {
  const found = release(version).files.find((one) => one.path === path);
  if (found === undefined) throw new Error(`${version} has no ${path}`);
  return found.document;
}

function definitions(document: JsonObject): Record<string, JsonObject> {
  return document.$defs as Record<string, JsonObject>;
}

/** Rewrites every schema object of a document, inner objects first. */
function rewrite(value: unknown, change: (schema: JsonObject) => JsonObject): JsonObject {
  const visit = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(visit);
    return isObject(inner)
      ? change(Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, visit(one)])))
      : inner;
  };
  return visit(value) as JsonObject;
}

function breaking(diff: FileDiff): string[] {
  return [
    ...diff.methods.filter((one) => one.class === "breaking").map(({ name }) => name),
    ...diff.changes.filter((one) => one.class === "breaking").map(({ path }) => path),
  ];
}

const v1 = file("2.4.0", "schema/v1/schema.json");

describe("a comparison across a refactoring", () => {
  it("still reports one removed method and the removed members", () => {
    const before = file("0.5.1", "schema/schema.json");
    const after = structuredClone(file("0.7.0", "schema/schema.json")) as JsonObject;
    const defs = definitions(after);
    for (const name of ["SetSessionModelRequest", "SetSessionModelResponse", "SessionModelState", "ModelInfo"])
      delete defs[name];
    for (const name of ["NewSessionResponse", "LoadSessionResponse"])
      delete (defs[name] as { properties: { models?: unknown } }).properties.models;
    expect(breaking(diffSchemas(before, after))).toEqual([
      "session/set_model",
      "LoadSessionResponse.models",
      "NewSessionResponse.models",
    ]);
  });
});

describe.each(["schema/v1/schema.json", "schema/v2/schema.unstable.json"])(
  "another spelling of every schema object in %s",
  (path) => {
    const whole = file("2.4.0", path);

    it.each<readonly [name: string, change: (schema: JsonObject) => JsonObject]>([
      [
        "every `$ref` becomes an `allOf` with one entry",
        (schema) => (typeof schema.$ref === "string" ? { allOf: [schema] } : schema),
      ],
      [
        "every closed `oneOf` of `const` becomes an `enum`",
        (schema) => {
          if (!Array.isArray(schema.oneOf)) return schema;
          const values = (schema.oneOf as JsonObject[]).map((one) => one.const);
          if (values.some((value) => typeof value !== "string")) return schema;
          const { oneOf: _, ...rest } = schema;
          return { ...rest, type: "string", enum: values };
        },
      ],
      [
        "every `type: [x, null]` becomes an `anyOf`",
        (schema) => {
          if (!Array.isArray(schema.type)) return schema;
          const { type, description, default: fallback, ...rest } = schema;
          const notes = Object.fromEntries(Object.entries(rest).filter(([key]) => key.startsWith("x-")));
          const own = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith("x-")));
          const words = {
            ...(description === undefined ? {} : { description }),
            ...(fallback === undefined ? {} : { default: fallback }),
          };
          return {
            ...words,
            ...notes,
            anyOf: (type as string[]).map((one) => (one === "null" ? { type: one } : { type: one, ...own })),
          };
        },
      ],
      [
        "every `$ref` becomes an `anyOf` with one branch",
        (schema) => (isObject(schema.properties) || schema.$ref === undefined ? schema : { anyOf: [schema] }),
      ],
    ])("is neutral: %s", (_, change) => {
      const after = rewrite(whole, change);
      expect(JSON.stringify(after)).not.toBe(JSON.stringify(whole));
      const wire = diffSchemas(whole, after).changes.filter(
        (one) => one.class !== "documentation" && one.code !== "title",
      );
      expect(wire).toEqual([]);
    });

    it("is neutral for messages and renames exports: every definition renamed", () => {
      const text = JSON.stringify(whole).replaceAll(/"#\/\$defs\/(\w+)"/g, '"#/$defs/New$1"');
      const renamed = JSON.parse(text) as JsonObject;
      const defs = Object.fromEntries(Object.entries(definitions(renamed)).map(([name, one]) => [`New${name}`, one]));
      const diff = diffSchemas(whole, { ...renamed, $defs: defs });
      expect(diff).toMatchObject({ wire: "none", class: "api" });
      expect(diff.definitions.renamed.length).toBeGreaterThan(130);
      expect(diff.api.renamed).toEqual(
        expect.arrayContaining([{ before: "PromptRequest", after: "NewPromptRequest" }]),
      );
    });

    it("is neutral: every definition with one use becomes inline", () => {
      const text = JSON.stringify(whole);
      const once = Object.keys(definitions(whole)).filter(
        (name) => text.split(`"#/$defs/${name}"`).length === 2 && definitions(whole)[name]?.["x-method"] === undefined,
      );
      const inline = (schema: JsonObject): JsonObject => {
        const name = typeof schema.$ref === "string" ? schema.$ref.replace("#/$defs/", "") : "";
        return once.includes(name) ? rewrite(definitions(whole)[name], inline) : schema;
      };
      const after = rewrite(whole, inline);
      const kept = Object.fromEntries(Object.entries(definitions(after)).filter(([name]) => !once.includes(name)));
      const diff = diffSchemas(whole, { ...after, $defs: kept });
      expect(once.length).toBeGreaterThan(30);
      expect(diff.changes.filter((one) => !["documentation", "annotation", "none"].includes(one.class))).toEqual([]);
      expect(new Set(diff.definitions.removed.map((one) => one.class))).toEqual(new Set(["none"]));
    });
  },
);

describe("one change anywhere in a real schema is found, and nothing else", () => {
  const objects = Object.entries(definitions(v1)).filter(
    ([name, one]) => isObject(one.properties) && one["x-docs-ignore"] === undefined && !/^Ext/.test(name),
  );
  const some = objects.filter((_, index) => index % 8 === 0).map(([name]) => name);

  function withDefinition(name: string, change: (definition: JsonObject) => JsonObject): JsonObject {
    const defs = definitions(v1);
    return { ...v1, $defs: { ...defs, [name]: change(defs[name] ?? {}) } };
  }

  it.each(some)("%s", (name) => {
    const properties = definitions(v1)[name]?.properties as JsonObject;
    const required = (definitions(v1)[name]?.required ?? []) as string[];
    const more = { ...properties, more: { type: "string" } };
    expect(
      diffSchemas(
        v1,
        withDefinition(name, (one) => ({ ...one, properties: more })),
      ).changes,
    ).toMatchObject([{ class: "additive", path: expect.stringMatching(/\.more$/) }]);
    const demanding = diffSchemas(
      v1,
      withDefinition(name, (one) => ({ ...one, properties: more, required: [...required, "more"] })),
    );
    expect(breaking(demanding)).toEqual([expect.stringMatching(/\.more$/)]);

    const [first] = Object.keys(properties);
    const less = Object.fromEntries(Object.entries(properties).filter(([key]) => key !== first));
    const poorer = withDefinition(name, (one) => ({
      ...one,
      properties: less,
      required: required.filter((key) => key !== first),
    }));
    expect(breaking(diffSchemas(v1, poorer))).toEqual([expect.stringMatching(new RegExp(`\\.${first}$`))]);

    const reworded = withDefinition(name, (one) => ({ ...one, description: "Something else." }));
    expect(diffSchemas(v1, reworded).changes).toMatchObject([{ class: "documentation", definition: name }]);
  });
});
