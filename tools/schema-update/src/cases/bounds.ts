import { answered, asked, type Case, schema } from "./case.js";

const text = { type: "string" };
const lenient = { "x-deserialize-default-on-error": true };

/** Bounds, formats and patterns: tighter breaks writers, looser breaks readers. */
export const bounds: readonly Case[] = [
  {
    name: "a higher minimum breaks writers, a lower one readers",
    before: schema({
      Answer: { properties: { up: { type: "integer", minimum: 0 }, down: { type: "integer", minimum: 1 } } },
    }),
    after: schema({
      Answer: { properties: { up: { type: "integer", minimum: 1 }, down: { type: "integer", minimum: 0 } } },
    }),
    expected: [
      "breaking: AnswerResponse.down accepts 0 and more, was 1 and more; clients have to accept it",
      "breaking: AnswerResponse.up accepts 1 and more, was 0 and more; agents have to follow",
    ],
  },
  {
    name: "int64 to uint64: negative numbers are out, larger ones are in",
    before: asked({ type: "integer", format: "int64" }),
    after: asked({ type: "integer", format: "uint64", minimum: 0 }),
    expected: [
      "breaking: AskRequest.it accepts 0 … 2^64 − 1, was −2^63 … 2^63 − 1 (int64 → uint64); agents and clients have to follow",
    ],
  },
  {
    name: "uint32 to int64 is a widening: additive where old readers recover",
    before: schema({
      Answer: {
        properties: {
          soft: { type: "integer", format: "uint32", minimum: 0, ...lenient },
          hard: { type: "integer", format: "uint32", minimum: 0 },
        },
      },
    }),
    after: schema({
      Answer: {
        properties: {
          soft: { type: "integer", format: "int64", ...lenient },
          hard: { type: "integer", format: "int64" },
        },
      },
    }),
    expected: [
      "breaking: AnswerResponse.hard accepts −2^63 … 2^63 − 1, was 0 … 2^32 − 1 (uint32 → int64); clients have to accept it",
      "additive: AnswerResponse.soft accepts −2^63 … 2^63 − 1, was 0 … 2^32 − 1 (uint32 → int64) — readers of the old schema replace or skip it here",
    ],
  },
  {
    name: "a format that changes no range is an annotation",
    before: asked({ type: "number" }),
    after: asked({ type: "number", format: "double" }),
    expected: ["annotation: AskRequest.it has the format double, was (none); the range is the same"],
  },
  {
    name: "lists that must not be empty",
    before: asked({ type: "array", items: text }),
    after: asked({ type: "array", items: text, minItems: 1 }),
    expected: ["breaking: AskRequest.it needs at least 1 item, was any number of items; clients have to follow"],
  },
  {
    name: "lengths, patterns and formats of strings",
    before: schema({
      Ask: { properties: { length: { ...text, minLength: 1 }, pattern: { ...text, pattern: "^a" }, format: text } },
    }),
    after: schema({
      Ask: {
        properties: {
          length: { ...text, minLength: 2, maxLength: 5 },
          pattern: text,
          format: { ...text, format: "uri" },
        },
      },
    }),
    expected: [
      'breaking: AskRequest.format has to fit `format: "uri"`; clients have to follow',
      "breaking: AskRequest.length needs 2 to 5 characters, was at least 1 character; clients have to follow",
      'breaking: AskRequest.pattern no longer has to fit `pattern: "^a"`; agents have to accept it',
    ],
  },
  {
    name: "bounds beside a named scalar belong to the place",
    before: asked({ allOf: [{ $ref: "#/$defs/Name" }], minLength: 1 }, { Name: text }),
    after: asked({ allOf: [{ $ref: "#/$defs/Name" }] }, { Name: text }),
    expected: [
      "breaking: AskRequest.it needs any number of characters, was at least 1 character; agents have to accept it",
    ],
  },
  {
    name: "a rare keyword is compared as it stands",
    before: answered({ type: "array", items: text }),
    after: answered({ type: "array", items: text, uniqueItems: true }),
    expected: ["breaking: AnswerResponse.it has to fit `uniqueItems: true`; agents have to follow"],
  },
];
