import type { RawDocument, RawSchema } from "@acp-kit/codegen/raw-schema";

type Json = Record<string, unknown>;

/**
 * Rewrites a schema of an earlier release in the dialect that the generator reads, so that `schema:diff` can compare
 * it. A schema that is in this dialect is returned unchanged. What the rewriting can't express is left as it is, and
 * the generator refuses it.
 */
export function inPresentSpelling(document: RawDocument): RawDocument {
  const { $defs, anyOf = [] } = rewritten(document) as Json & { $defs: Record<string, RawSchema>; anyOf?: RawSchema[] };
  const envelopes = Object.entries($defs)
    // Other envelopes repeated the messages of these.
    .filter(([name, schema]) => schema["x-docs-ignore"] !== true || envelopeName.test(name))
    .map(([name, schema]) => [name, envelope(name, schema)] as const);
  const messages = anyOf.filter(({ type, $ref }) => type !== "array" && $ref === undefined).map(message);
  return {
    $schema: document.$schema,
    anyOf: messages,
    $defs: Object.fromEntries(envelopes),
  };
}

const envelopeName = /^(?:Agent|Client|Proxy)(Request|Response|Notification)$/;

/** Rewrites every schema object, inner objects first. */
function rewritten(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((inner) => rewritten(inner));
  if (typeof value !== "object" || value === null) return value === true && isSchemaKey(key) ? {} : value;
  const own = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      key === "properties" ? schemaOf(inner) : rewritten(inner, name),
    ]),
  ) as Json;
  if (key === "properties" || key === "$defs") return own;
  if (own["x-side"] === "both") own["x-side"] = "protocol";
  if (typeof own.pattern === "string") {
    const { pattern, ...rest } = own;
    return { ...rest, format: `pattern ${String(pattern)}` };
  }
  return own;
}

const schemaOf = (inner: unknown): unknown => (inner === true ? {} : rewritten(inner));
const isSchemaKey = (key: string): boolean => key === "items" || key === "not";

/** An envelope that is only a list of payloads becomes a message with params, or a response with a result. */
function envelope(name: string, schema: RawSchema): RawSchema {
  const role = envelopeName.exec(name)?.[1];
  if (role === undefined || schema["x-docs-ignore"] !== true || schema.properties !== undefined) return schema;
  const list = schema.anyOf?.filter((branch) => branch.$ref !== undefined || branch.allOf !== undefined) ?? [];
  if (list.length === 0) return schema;
  const payload = { anyOf: list };
  return role === "Response"
    ? { anyOf: [{ type: "object", properties: { result: payload } }], "x-docs-ignore": true }
    : { type: "object", properties: { params: payload }, "x-docs-ignore": true };
}

/** A payload in the root without an envelope becomes the params of a message. */
function message(branch: RawSchema): RawSchema {
  const { title: _, ...params } = branch;
  return branch.properties === undefined ? { type: "object", properties: { params } } : branch;
}
