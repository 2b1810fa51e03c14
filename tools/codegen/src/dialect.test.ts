import { describe, expect, it } from "vitest";
import { documentOf, irOf } from "../test/case.js";
import { DecisionsError } from "./decisions.js";
import { checkDialect } from "./dialect.js";
import { loadSchema, schemaDirectory, schemaPaths } from "./load.js";
import { DialectError } from "./place.js";
import type { RawDocument } from "./raw-schema.js";

/** Returns the problems of a document, as the maintainer who updates the schema reads them. */
function complaint(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof DialectError) return error.message;
    throw error;
  }
  return "nothing";
}

// Untyped, because the types of the dialect exclude these documents.
const about = (definition: unknown, others: object = {}) =>
  complaint(() =>
    irOf(documentOf({ Thing: definition, Other: { type: "object" }, ...others } as RawDocument["$defs"])),
  );

const text = { type: "string" };
const variant = (tag: string, value: string, more: object = {}) => ({
  type: "object",
  properties: { [tag]: { type: "string", const: value } },
  required: [tag],
  ...more,
});
const catchAll = (tag: string, known: readonly string[], more: object = {}) => ({
  title: "other",
  type: "object",
  properties: { [tag]: text },
  required: [tag],
  not: { anyOf: known.map((value) => variant(tag, value)) },
  additionalProperties: true,
  ...more,
});

it.each(schemaPaths)("schema/%s uses only the known dialect", (path) => {
  expect(() => checkDialect(loadSchema(`${schemaDirectory}${path}`).document)).not.toThrow();
});

describe("a value of the wrong kind", () => {
  it.each<[string, unknown]>([
    ["type", null],
    ["type", ["string", 5]],
    ["required", "a"],
    ["properties", [text]],
    ["anyOf", {}],
    ["allOf", 1.5],
    ["$ref", [[]]],
    ["description", null],
    ["title", 5],
    ["x-method", 5],
    ["const", { a: 1 }],
    ["enum", ["a", null]],
    ["minLength", "1"],
    ["discriminator", "kind"],
  ])("%s: %j is refused with its place", (keyword, value) => {
    expect(about({ type: "object", [keyword]: value })).toMatch(
      new RegExp(`^Thing: expected .*, found .*at #/\\$defs/Thing/${keyword.replace("$", "\\$")}\\)$`),
    );
  });

  it.each([
    [null, "expected an object"],
    [{}, "unknown draft"],
    [{ ...documentOf({}), $defs: undefined }, "no $defs"],
  ])("the document %j is refused", (document, reason) => {
    expect(complaint(() => checkDialect(document as unknown as RawDocument))).toContain(reason);
  });
});

describe("a keyword", () => {
  it.each([
    [
      "that is unknown, in a definition",
      { type: "string", pattern: "^a" },
      'Thing: unknown keyword "pattern" (at #/$defs/Thing)',
    ],
    [
      "that is unknown and starts with x-",
      { type: "object", properties: { a: { ...text, "x-new": true } } },
      'Thing: unknown x- keyword "x-new" (at #/$defs/Thing/properties/a)',
    ],
    [
      "that is unknown, in a nested schema",
      { type: "object", properties: { "a/b~c": { type: "array", items: { type: "string", maxLength: 3 } } } },
      'Thing: unknown keyword "maxLength" (at #/$defs/Thing/properties/a~1b~0c/items)',
    ],
    [
      "in an unknown combination",
      { type: "string", minimum: 1 },
      'Thing: unknown keyword combination in a definition: type "string", minimum (at #/$defs/Thing)',
    ],
    [
      "that is allowed only on members",
      { type: "string", default: "x" },
      'Thing: unknown keyword combination in a definition: type "string", default (at #/$defs/Thing)',
    ],
    [
      "that is allowed only on definitions",
      { type: "object", properties: { a: { ...text, "x-method": "a", "x-side": "agent" } } },
      'Thing: unknown keyword combination in a property: type "string", x-method, x-side (at #/$defs/Thing/properties/a)',
    ],
  ])("%s stops the generation", (_, definition, expected) => {
    expect(about(definition)).toBe(expected);
  });
});

describe("a value", () => {
  it.each([
    [
      "a format that the decoders don't check",
      { type: "string", format: "uuid" },
      'Thing: unknown format "uuid" of string (at #/$defs/Thing/format)',
    ],
    [
      "an integer format with an unknown range",
      { type: "integer", format: "uint8" },
      'Thing: unknown format "uint8" of integer (at #/$defs/Thing/format)',
    ],
    [
      "an encoding other than base64",
      { type: "string", contentEncoding: "base32" },
      'Thing: unknown encoding "base32" (at #/$defs/Thing/contentEncoding)',
    ],
    [
      'a list of types other than [T, "null"]',
      { type: ["string", "integer"] },
      'Thing: unknown type list ["string","integer"]; only [T, "null"] is known (at #/$defs/Thing/type)',
    ],
    [
      "a closed object",
      { type: "object", properties: { a: text }, additionalProperties: false },
      "Thing: false is not known (at #/$defs/Thing/additionalProperties)",
    ],
    [
      "a reference to a missing definition",
      { allOf: [{ $ref: "#/$defs/Nowhere" }] },
      'Thing: reference to "#/$defs/Nowhere", which is not a definition (at #/$defs/Thing/allOf/0/$ref)',
    ],
    [
      "a reference to another file",
      { $ref: "other.json#/Thing" },
      'Thing: reference to "other.json#/Thing", which is not a definition (at #/$defs/Thing/$ref)',
    ],
    [
      "an allOf with two entries",
      { allOf: [{ $ref: "#/$defs/Other" }, { $ref: "#/$defs/Other" }] },
      "Thing: allOf is known only as a wrapper around one reference (at #/$defs/Thing/allOf)",
    ],
    [
      "a required member that is not declared",
      { type: "object", properties: { a: text }, required: ["b"] },
      'Thing: "b" is required but not declared (at #/$defs/Thing/required)',
    ],
    [
      "a discriminator with a mapping",
      { oneOf: [variant("type", "a")], discriminator: { propertyName: "type", mapping: {} } },
      "Thing: only propertyName is known (at #/$defs/Thing/discriminator)",
    ],
    [
      "a recovery keyword that is not true",
      { type: "object", properties: { a: { ...text, "x-deserialize-default-on-error": false } } },
      "Thing: only true is known, found false (at #/$defs/Thing/properties/a/x-deserialize-default-on-error)",
    ],
    [
      "a recovery keyword for items on a type without items",
      { type: "object", properties: { a: { ...text, "x-deserialize-skip-invalid-items": true } } },
      'Thing: not known on type "string" (at #/$defs/Thing/properties/a/x-deserialize-skip-invalid-items)',
    ],
    [
      "an unknown side",
      { type: "object", "x-method": "a", "x-side": "both" },
      'Thing: unknown side "both" (at #/$defs/Thing/x-side)',
    ],
    [
      "a method without a side",
      { type: "object", "x-method": "a" },
      "Thing: x-method and x-side come together or not at all (at #/$defs/Thing)",
    ],
    [
      "a value that is not a schema",
      { type: "object", properties: { a: true } },
      "Thing: expected a schema object, found true (at #/$defs/Thing/properties/a)",
    ],
  ])("%s stops the generation", (_, definition, expected) => {
    expect(about(definition)).toBe(expected);
  });
});

describe("a union that can't be classified", () => {
  it.each([
    [
      "whose branches have different tags",
      { anyOf: [variant("type", "a"), variant("kind", "b")] },
      "Thing: a tagged union whose branches disagree about the tag: type, kind (at #/$defs/Thing)",
    ],
    [
      "with the same tag twice",
      { anyOf: [variant("type", "a"), variant("type", "a")] },
      'Thing: a second variant tagged "a" (at #/$defs/Thing/anyOf/1)',
    ],
    [
      "with two candidates for the tag",
      {
        anyOf: [
          {
            type: "object",
            properties: { a: { type: "string", const: "x" }, b: { type: "string", const: "y" } },
            required: ["a", "b"],
          },
        ],
      },
      "Thing: two members could be the tag: a, b (at #/$defs/Thing/anyOf/0)",
    ],
    [
      "whose catch-all does not exclude every known tag",
      { anyOf: [variant("type", "a"), variant("type", "b"), catchAll("type", ["a"])] },
      "Thing: the catch-all refuses [a], but the variants are [a, b] (at #/$defs/Thing/anyOf/2/not)",
    ],
    [
      "whose catch-all has another tag",
      { anyOf: [variant("type", "a"), catchAll("kind", ["a"])] },
      'Thing: a catch-all that does not require "type" as a string (at #/$defs/Thing/anyOf/1)',
    ],
    [
      "with two catch-alls",
      { anyOf: [variant("type", "a"), catchAll("type", ["a"]), catchAll("type", ["a"])] },
      "Thing: a second catch-all (at #/$defs/Thing/anyOf/2)",
    ],
    [
      "with a catch-all and no tag",
      { anyOf: [{ $ref: "#/$defs/Other" }, catchAll("type", [])] },
      "Thing: a catch-all in a union without a tag (at #/$defs/Thing/anyOf/1)",
    ],
    [
      "whose discriminator is not its tag",
      { oneOf: [variant("type", "a")], discriminator: { propertyName: "kind" } },
      'Thing: the discriminator is "kind", the branches say "type" (at #/$defs/Thing/discriminator)',
    ],
    [
      "with a discriminator and no tag",
      { oneOf: [{ $ref: "#/$defs/Other" }], discriminator: { propertyName: "kind" } },
      "Thing: a discriminator on a union whose branches carry no tag (at #/$defs/Thing/discriminator)",
    ],
    [
      "with a discriminator and a branch without it",
      { oneOf: [variant("type", "a"), { $ref: "#/$defs/Other" }], discriminator: { propertyName: "type" } },
      "Thing: a branch without the tag beside a discriminator (at #/$defs/Thing/oneOf/1)",
    ],
    [
      "of tagged objects and another type",
      { anyOf: [variant("type", "a"), text] },
      "Thing: a tagged union of objects has a branch of kind string (at #/$defs/Thing/anyOf/1)",
    ],
    [
      "with a branch after one that accepts every value",
      { anyOf: [{ title: "Any" }, text] },
      "Thing: this branch accepts everything, so the branches after it are unreachable (at #/$defs/Thing/anyOf/0)",
    ],
    [
      "with an alternative that accepts every object",
      { anyOf: [text, { type: "object", properties: { a: text } }] },
      "Thing: an alternative without a tag and without a required member fits every object (at #/$defs/Thing/anyOf/1)",
    ],
    [
      "of constants of two types",
      {
        anyOf: [
          { type: "string", const: "a" },
          { type: "integer", const: 1 },
        ],
      },
      "Thing: an enum of string has a branch of another type (at #/$defs/Thing/anyOf/1)",
    ],
    [
      "of constants and references",
      { anyOf: [{ type: "string", const: "a" }, { $ref: "#/$defs/Other" }] },
      "Thing: an enum of string has a branch of another type (at #/$defs/Thing/anyOf/1)",
    ],
    [
      "with the catch-all of an enum before its last branch",
      { anyOf: [text, { type: "string", const: "a" }] },
      "Thing: the catch-all of an enum must be its last branch (at #/$defs/Thing/anyOf/1)",
    ],
    ["without branches", { anyOf: [] }, "Thing: a union without branches (at #/$defs/Thing)"],
    [
      "with a required tag of its own beside the branches",
      { type: "object", properties: { type: text }, required: ["type"], anyOf: [variant("type", "a")] },
      "Thing: a tag declared beside its union must be an optional nullable string (at #/$defs/Thing/properties/type)",
    ],
    [
      "of a type and null, beside the members of an object",
      { type: "object", properties: { a: text }, anyOf: [{ $ref: "#/$defs/Other" }, { type: "null" }] },
      "Thing: only a union can stand beside the members of an object, found nullable (at #/$defs/Thing)",
    ],
  ])("%s stops the generation", (_, definition, expected) => {
    expect(about(definition)).toBe(expected);
  });
});

describe("a method", () => {
  const request = { type: "object", "x-method": "a/b", "x-side": "agent" };
  const envelope = (name: string) => ({
    type: "object",
    properties: {
      id: text,
      method: text,
      params: { anyOf: [{ anyOf: [{ allOf: [{ $ref: `#/$defs/${name}` }] }] }, { type: "null" }] },
    },
    required: ["id", "method"],
    "x-docs-ignore": true,
  });

  it("that no envelope carries stops the generation", () => {
    expect(about(request)).toBe('Thing: x-method "a/b" on a type that no envelope carries (at #/$defs/Thing)');
  });

  it("without a result stops the generation, if it is a request", () => {
    const expected = 'Thing: the request "a/b" on side "agent" has no result (at #/$defs/Thing)';
    expect(about(request, { ClientRequest: envelope("Thing") })).toBe(expected);
  });

  it("without a name stops the generation; the error lists every payload without a name", () => {
    const unnamed = { type: "object" };
    expect(() =>
      irOf(
        documentOf({
          Thing: unnamed,
          Other: unnamed,
          ExtNotification: unnamed,
          AgentNotification: envelope("Thing"),
          ClientNotification: envelope("Other"),
          ProxyNotification: envelope("ExtNotification"),
        } as RawDocument["$defs"]),
      ),
    ).toThrow(
      new DecisionsError(
        ["Thing", "Other"].map((name) => ({
          file: "tools/codegen/src/build-methods.ts",
          what:
            `case: the notification "${name}" stands in an envelope without x-method, so its name on the wire is unknown: ` +
            "wait for a schema that names it, or, if it belongs to no method, add it to payloadsWithoutMethod",
        })),
      ),
    );
  });

  it("whose params are written inside the envelope stops the generation", () => {
    const inline = { type: "object", properties: { params: { type: "object" } }, "x-docs-ignore": true };
    expect(about({ type: "object" }, { ClientNotification: inline })).toBe(
      "ClientNotification: a payload without a definition of its own (at #/$defs/ClientNotification)",
    );
  });

  it("hidden behind an unknown kind of envelope stops the generation", () => {
    const expected = "Conductor: x-docs-ignore on a definition that is not a known envelope (at #/$defs/Conductor)";
    expect(about({ type: "object" }, { Conductor: envelope("Thing") })).toBe(expected);
  });
});

describe("a document", () => {
  it("with an unknown keyword at its root stops the generation", () => {
    const document = { ...documentOf({}), $id: "x" } as RawDocument;
    expect(complaint(() => checkDialect(document))).toBe('(root): unknown keyword "$id" (at #)');
  });

  it("of another draft stops the generation", () => {
    const document = { ...documentOf({}), $schema: "http://json-schema.org/draft-07/schema#" };
    expect(complaint(() => checkDialect(document))).toBe(
      '(root): unknown draft "http://json-schema.org/draft-07/schema#" (at #/$schema)',
    );
  });
});
