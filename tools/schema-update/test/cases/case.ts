import type { JsonObject } from "../../src/source/schema-file.js";

/** An example of a rule of the comparison: two small schemas, and every expected line. */
export interface Case {
  readonly name: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /**
   * The expected lines, in the form `effect: path says — note`. The most important line is first. Exports are not
   * included.
   */
  readonly expected: readonly string[];
}

/** Creates a schema in the generator's dialect. The envelopes list every definition with `x-method`, by its name. */
export function document(definitions: JsonObject): JsonObject {
  const methods = Object.entries(definitions).filter(([, one]) => (one as JsonObject)["x-method"] !== undefined);
  const named = (end: string): JsonObject => ({
    anyOf: methods.filter(([name]) => name.endsWith(end)).map(([name]) => ({ title: name, ...ref(name) })),
  });
  const message = (end: string): JsonObject => ({
    type: "object",
    properties: { params: named(end) },
    "x-docs-ignore": true,
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    anyOf: [],
    $defs: {
      ...definitions,
      ClientRequest: message("Request"),
      ClientNotification: message("Notification"),
      AgentResponse: {
        anyOf: [{ type: "object", properties: { result: named("Response") } }],
        "x-docs-ignore": true,
      },
    },
  };
}

/** Creates a schema with one request: the client sends `do/it` (`Ask`), and the agent responds (`Answer`). */
export function schema(definitions: JsonObject): JsonObject {
  const method = { "x-method": "do/it", "x-side": "agent" };
  const { Ask = {}, Answer = {}, ...others } = definitions;
  return document({
    AskRequest: { type: "object", properties: {}, ...method, ...(Ask as JsonObject) },
    AnswerResponse: { type: "object", properties: {}, ...method, ...(Answer as JsonObject) },
    ...others,
  });
}
/** Creates a schema whose client sends `{ it: … }`. */
export function asked(it: unknown, others: JsonObject = {}): JsonObject {
  return schema({ Ask: { properties: { it } }, ...others });
}

/** Creates a schema whose agent responds with `{ it: … }`. */
export function answered(it: unknown, others: JsonObject = {}): JsonObject {
  return schema({ Answer: { properties: { it } }, ...others });
}

export function ref(name: string): JsonObject {
  return { $ref: `#/$defs/${name}` };
}

/** Creates a variant of a tagged union, with its payload beside the tag. */
export function variant(value: string, payload?: string, tag = "type"): JsonObject {
  return {
    type: "object",
    properties: { [tag]: { type: "string", const: value } },
    required: [tag],
    ...(payload === undefined ? {} : { allOf: [ref(payload)] }),
  };
}

/** The catch-all variant: it accepts every unknown tag. */
export function catchAll(known: readonly string[], tag = "type"): JsonObject {
  return {
    title: "other",
    type: "object",
    properties: { [tag]: { type: "string" } },
    required: [tag],
    not: {
      anyOf: known.map((value) => ({
        type: "object",
        properties: { [tag]: { type: "string", const: value } },
        required: [tag],
      })),
    },
    additionalProperties: true,
  };
}

export function constants(...values: readonly (string | number)[]): JsonObject[] {
  return values.map((value) => ({ type: typeof value === "string" ? "string" : "integer", const: value }));
}
