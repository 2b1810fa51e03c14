import { isObject, type JsonObject, withoutWords } from "./json.js";
import { constraintKeywords } from "./keywords.js";
import type { Branch, Constraints, Member, ObjectBranch, ScalarBranch, Shape } from "./shape.js";

type Recurse = (schema: unknown) => Shape;

/**
 * Returns the branches that a schema's own `type`, `const`, `enum`, `properties`, … describe, one per JSON type; `undefined` if it has none
 * of these keywords.
 */
export function ownBranches(schema: JsonObject, recurse: Recurse): readonly Branch[] | undefined {
  if ("const" in schema) return [literal([schema.const], schema)].flat();
  if (Array.isArray(schema.enum)) return literal(schema.enum, schema);
  const types = typesOf(schema);
  return types?.map((type) => ofType(type, schema, recurse));
}

function typesOf(schema: JsonObject): readonly string[] | undefined {
  const type = schema.type;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((name): name is string => typeof name === "string");
  const has = (keywords: readonly string[]): boolean => keywords.some((keyword) => keyword in schema);
  if (has(["properties", "required", "additionalProperties", ...constraintKeywords.object])) return ["object"];
  if (has(["items", ...constraintKeywords.array])) return ["array"];
  if (has(["minLength", "maxLength", "pattern"])) return ["string"];
  if (has(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])) return ["number"];
  return undefined;
}

function ofType(type: string, schema: JsonObject, recurse: Recurse): Branch {
  switch (type) {
    case "null":
      return { kind: "null" };
    case "boolean":
      return { kind: "boolean", values: undefined };
    case "string":
      return { kind: type, values: new Map(), rest: constraintsOf(schema, constraintKeywords.string) };
    case "integer":
    case "number":
      return { kind: type, values: new Map(), rest: constraintsOf(schema, constraintKeywords.number) };
    case "array":
      return {
        kind: "array",
        items: "items" in schema ? recurse(schema.items) : undefined,
        constraints: constraintsOf(schema, constraintKeywords.array),
      };
    case "object":
      return objectBranch(schema, recurse);
    default:
      return { kind: "opaque", json: withoutWords(schema) };
  }
}

function objectBranch(schema: JsonObject, recurse: Recurse): ObjectBranch {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const members = new Map<string, Member>();
  for (const [name, value] of Object.entries(properties)) {
    members.set(name, { shape: recurse(value), required: required.has(name) });
  }
  for (const name of required) {
    if (typeof name === "string" && !members.has(name)) members.set(name, { shape: recurse({}), required: true });
  }
  const additional = schema.additionalProperties ?? schema.unevaluatedProperties;
  return {
    kind: "object",
    members,
    additional:
      additional === false
        ? "closed"
        : isObject(additional) && Object.keys(additional).length > 0
          ? recurse(additional)
          : "open",
    parts: [],
    reserved: undefined,
    constraints: constraintsOf(schema, constraintKeywords.object),
  };
}

/** Returns the branches for `const` and `enum`, one per JSON type among the values. */
function literal(values: readonly unknown[], schema: JsonObject): Branch[] {
  const branches: Branch[] = [];
  const scalars = (kind: ScalarBranch["kind"], test: (value: unknown) => boolean): void => {
    const found = values.filter(test) as (string | number)[];
    if (found.length === 0) return;
    const words = { doc: undefined, title: undefined };
    branches.push({ kind, values: new Map(found.map((value) => [value, words])), rest: undefined });
  };
  scalars("string", (value) => typeof value === "string");
  scalars("integer", (value) => Number.isInteger(value));
  scalars("number", (value) => typeof value === "number" && !Number.isInteger(value));
  const booleans = values.filter((value): value is boolean => typeof value === "boolean");
  if (booleans.length > 0) branches.push({ kind: "boolean", values: new Set(booleans) });
  if (values.includes(null)) branches.push({ kind: "null" });
  for (const value of values) {
    if (typeof value === "object" && value !== null) branches.push({ kind: "opaque", json: { const: value } });
  }
  const title = schema.title;
  const doc = schema.description;
  if (values.length !== 1 || branches.length !== 1) return branches;
  // A single constant keeps its description if it becomes a value of an enum.
  return branches.map((branch) =>
    branch.kind === "string" || branch.kind === "integer" || branch.kind === "number"
      ? {
          ...branch,
          values: new Map(
            [...branch.values.keys()].map((value) => [
              value,
              { doc: typeof doc === "string" ? doc : undefined, title: typeof title === "string" ? title : undefined },
            ]),
          ),
        }
      : branch,
  );
}

function constraintsOf(schema: JsonObject, keywords: readonly string[]): Constraints {
  const found = new Map<string, unknown>();
  for (const keyword of keywords) if (keyword in schema) found.set(keyword, withoutWords(schema[keyword]));
  // Schemas state the range of a format again, for example `minimum: 0` beside unsigned formats. This has no effect.
  return found;
}
