import { buildUnion } from "./build-union.js";
import type { EnumNode, Node, ObjectNode, Property } from "./ir.js";
import { below, DialectError, type Place } from "./place.js";
import { type RawSchema, wrappedName } from "./raw-schema.js";

/** Converts one schema object into an IR node. */
export function buildNode(schema: RawSchema, place: Place): Node {
  const name = schema.type === undefined || schema.type === "object" ? referenceOf(schema) : undefined;
  if (name !== undefined) return { kind: "ref", name };
  if (schema.type === undefined) {
    return schema.anyOf === undefined && schema.oneOf === undefined
      ? { kind: "any" }
      : buildUnion(schema, undefined, place);
  }
  const [type, nullable] = typeof schema.type === "string" ? [schema.type] : schema.type;
  const inner = buildTyped(schema, type ?? "", place);
  return nullable === undefined ? inner : { kind: "nullable", inner };
}

function referenceOf(schema: RawSchema): string | undefined {
  return schema.properties === undefined ? wrappedName(schema) : undefined;
}

function buildTyped(schema: RawSchema, type: string, place: Place): Node {
  if (schema.const !== undefined) return { kind: "const", value: schema.const };
  switch (type) {
    case "null":
    case "boolean":
      return { kind: type };
    case "string":
      if (schema.enum !== undefined) return enumOf(schema.enum);
      return {
        kind: "string",
        format: schema.format,
        minLength: schema.minLength,
        contentEncoding: schema.contentEncoding,
      };
    case "number":
    case "integer":
      return { kind: type, format: schema.format, minimum: schema.minimum, maximum: schema.maximum };
    case "array":
      return { kind: "array", items: buildNode(schema.items ?? {}, below(place, "items")), minItems: schema.minItems };
    case "object":
      return buildObject(schema, place);
    default:
      throw new DialectError(below(place, "type"), `unknown type ${JSON.stringify(type)}`);
  }
}

function enumOf(values: readonly (string | number)[]): EnumNode {
  return {
    kind: "enum",
    base: "string",
    members: values.map((value) => ({ value, title: undefined, doc: undefined })),
    open: undefined,
  };
}

function buildObject(schema: RawSchema, place: Place): Node {
  const { additionalProperties } = schema;
  if (schema.properties === undefined && additionalProperties !== undefined) {
    const values: Node =
      additionalProperties === true
        ? { kind: "any" }
        : buildNode(additionalProperties, below(place, "additionalProperties"));
    return { kind: "record", values };
  }
  return buildMembers(schema, [], place);
}

/** Converts an object's members, and the union flattened into it, without those in `except`, such as the tag. */
export function buildMembers(schema: RawSchema, except: readonly string[], place: Place): ObjectNode {
  const properties = buildProperties(schema, except, place);
  return {
    kind: "object",
    properties,
    extensible: schema.additionalProperties === true || schema.unevaluatedProperties === true,
    flattened:
      schema.anyOf === undefined && schema.oneOf === undefined ? undefined : flattened(schema, properties, place),
  };
}

function flattened(schema: RawSchema, beside: readonly Property[], place: Place): ObjectNode["flattened"] {
  const node = buildUnion(schema, beside, place);
  if (node.kind === "union" || node.kind === "tagged") return node;
  throw new DialectError(place, `only a union can stand beside the members of an object, found ${node.kind}`);
}

/** Returns the members of `properties`, in the schema's order. */
export function buildProperties(schema: RawSchema, except: readonly string[], place: Place): Property[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !except.includes(name))
    .map(([name, property]) => ({
      name,
      node: buildNode(property, below(place, "properties", name)),
      required: schema.required?.includes(name) ?? false,
      doc: property.description,
      default: "default" in property ? { value: property.default } : undefined,
      defaultOnError: property["x-deserialize-default-on-error"] ?? false,
      skipInvalidItems: property["x-deserialize-skip-invalid-items"] ?? false,
      defaultOnNull: property["x-deserialize-default-on-null"] ?? false,
    }));
}
