import { describe, expect, it } from "vitest";
import { release } from "../test/fixtures/releases.js";
import { compareModels } from "./compare/compare.js";
import type { Difference } from "./difference.js";
import { modelOf } from "./model.js";
import { isObject, type JsonObject, readSchemaFile } from "./source/schema-file.js";

/** Cases in which a comparison of texts or names is wrong, made from real releases. */
function file(version: string, path: string): JsonObject {
  const found = release(version).files.find((one) => one.path === path);
  if (found === undefined) throw new Error(`${version} has no ${path}`);
  return found.document;
}

function definitions(document: JsonObject): Record<string, JsonObject> {
  return document.$defs as Record<string, JsonObject>;
}

/** Rewrites every schema object of a document that the generator reads in other spellings, inner objects first. */
function rewrite(value: unknown, change: (schema: JsonObject) => JsonObject): JsonObject {
  const visit = (inner: unknown, key: string): unknown => {
    if (Array.isArray(inner)) return inner.map((one) => visit(one, key));
    if (!isObject(inner)) return inner;
    const own = Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, visit(one, name)]));
    return key === "allOf" || key === "default" ? own : change(own);
  };
  return visit(value, "") as JsonObject;
}

/** Returns the definition to which a schema refers, with nothing else but words beside the reference. */
function referred({ $ref, allOf, properties }: JsonObject): string | undefined {
  const [only] = Array.isArray(allOf) ? (allOf as JsonObject[]) : [];
  const target = $ref ?? (properties === undefined ? only?.$ref : undefined);
  return typeof target === "string" ? target.replace("#/$defs/", "") : undefined;
}

/** Compares two documents in messages and documentation, or with `exports` in those alone. */
function compare(before: JsonObject, after: JsonObject, exports = false): readonly Difference[] {
  const [a, b] = [before, after].map((document) =>
    modelOf(readSchemaFile("v1/schema.json", new TextEncoder().encode(JSON.stringify(document)), [])),
  );
  if (a === undefined || b === undefined) throw new Error("no model");
  return compareModels(a, b).filter(({ code }) => code.startsWith("export-") === exports);
}

function breaking(differences: readonly Difference[]): string[] {
  return differences.flatMap(({ effect, path }) => (effect === "breaking" ? [path] : []));
}

const v1 = file("2.4.0", "schema/v1/schema.json");

describe("a comparison across a refactoring", () => {
  it("still reports one removed method and the removed members", () => {
    const before = file("0.5.1", "schema/schema.json");
    const withoutModel = (key: string, value: unknown): unknown =>
      key === "anyOf" && Array.isArray(value)
        ? value.filter(
            (one) => !/^{[^{]*[{[]*"\$ref":"[^"]*SetSessionModel(Request|Response)"/.test(JSON.stringify(one)),
          )
        : value;
    const after = JSON.parse(JSON.stringify(file("0.7.0", "schema/schema.json"), withoutModel)) as JsonObject;
    const defs = definitions(after);
    for (const name of ["SetSessionModelRequest", "SetSessionModelResponse", "SessionModelState", "ModelInfo"])
      delete defs[name];
    for (const name of ["NewSessionResponse", "LoadSessionResponse"])
      delete (defs[name] as { properties: { models?: unknown } }).properties.models;
    expect(breaking(compare(before, after))).toEqual([
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
          if (!Array.isArray(schema.type) || Object.keys(schema).some((key) => key.startsWith("x-"))) return schema;
          const { type, description, default: fallback, ...own } = schema;
          const words = {
            ...(description === undefined ? {} : { description }),
            ...(fallback === undefined ? {} : { default: fallback }),
          };
          const branches = (type as string[]).map((one) => (one === "null" ? { type: one } : { type: one, ...own }));
          return { ...words, anyOf: branches };
        },
      ],
      [
        "every `$ref` becomes an `anyOf` with one branch",
        (schema) => (schema.$ref === undefined ? schema : { anyOf: [schema] }),
      ],
    ])("is neutral: %s", (_, change) => {
      const after = rewrite(whole, change);
      expect(JSON.stringify(after)).not.toBe(JSON.stringify(whole));
      expect(compare(whole, after).filter(({ effect }) => effect !== "documentation")).toEqual([]);
    });

    it("is neutral for messages and renames exports: every definition renamed", () => {
      // The generator finds these by their names.
      const isEnvelope = (name: string): boolean =>
        definitions(whole)[name]?.["x-docs-ignore"] === true ||
        /^(Ext|AgentCapabilities$|ClientCapabilities$)/.test(name);
      const text = JSON.stringify(whole).replaceAll(/"#\/\$defs\/(\w+)"/g, (all, name: string) =>
        isEnvelope(name) ? all : `"#/$defs/New${name}"`,
      );
      const renamed = JSON.parse(text) as JsonObject;
      const defs = Object.fromEntries(
        Object.entries(definitions(renamed)).map(([name, one]) => [isEnvelope(name) ? name : `New${name}`, one]),
      );
      const after = { ...renamed, $defs: defs };
      expect(compare(whole, after)).toEqual([]);
      const exports = compare(whole, after, true).filter(({ code }) => code === "export-renamed");
      expect(exports.length).toBeGreaterThan(130);
      expect(exports).toContainEqual(
        expect.objectContaining({ path: "PromptRequest", says: "was renamed to `NewPromptRequest`" }),
      );
    });

    it("is neutral: every plain definition becomes inline", () => {
      const isPlain = (name: string): boolean => {
        const one = definitions(whole)[name];
        return (
          one?.type !== undefined &&
          one.anyOf === undefined &&
          one["x-method"] === undefined &&
          one["x-docs-ignore"] === undefined
        );
      };
      const inline = (schema: JsonObject): JsonObject => {
        const name = referred(schema);
        if (name === undefined || !isPlain(name)) return schema;
        const { allOf: _, $ref: __, title: ___, ...beside } = schema;
        return { ...rewrite(definitions(whole)[name], inline), ...beside };
      };
      const after = rewrite(whole, inline);
      expect(JSON.stringify(after).length).toBeGreaterThan(JSON.stringify(whole).length);
      expect(compare(whole, after).filter(({ effect }) => effect !== "documentation")).toEqual([]);
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
      compare(
        v1,
        withDefinition(name, (one) => ({ ...one, properties: more })),
      ),
    ).toMatchObject([{ effect: "additive", path: expect.stringMatching(/\.more$/) }]);
    const demanding = compare(
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
    expect(breaking(compare(v1, poorer))).toEqual([expect.stringMatching(new RegExp(`\\.${first}$`))]);

    const reworded = withDefinition(name, (one) => ({ ...one, description: "Something else." }));
    expect(compare(v1, reworded)).toMatchObject([{ effect: "documentation", names: [name] }]);
  });
});
