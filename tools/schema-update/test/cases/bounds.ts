import { asked, type Case, schema } from "./case.js";

const text = { type: "string" };
const lenient = { "x-deserialize-default-on-error": true };

/** Bounds, formats and patterns. A tighter bound breaks writers; a looser bound breaks readers. */
export const bounds: readonly Case[] = [
  {
    name: "a higher minimum breaks writers; a lower minimum breaks readers",
    before: schema({
      Answer: { properties: { up: { type: "integer", minimum: 0 }, down: { type: "integer", minimum: 1 } } },
    }),
    after: schema({
      Answer: { properties: { up: { type: "integer", minimum: 1 }, down: { type: "integer", minimum: 0 } } },
    }),
    expected: [
      "breaking: AnswerResponse.down accepts 0 and more, was 1 and more; clients have to accept it",
      "breaking: AnswerResponse.up accepts 1 and more, was 0 and more; agents must adapt",
    ],
  },
  {
    name: "int64 to uint64: negative numbers become invalid, larger numbers become valid",
    before: asked({ type: "integer", format: "int64" }),
    after: asked({ type: "integer", format: "uint64", minimum: 0 }),
    expected: [
      "breaking: AskRequest.it accepts 0 … 2^64 − 1, was −2^63 … 2^63 − 1 (int64 → uint64); agents and clients must adapt",
    ],
  },
  {
    name: "uint32 to int64 widens the range, which is additive where old readers recover",
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
      "additive: AnswerResponse.soft accepts −2^63 … 2^63 − 1, was 0 … 2^32 − 1 (uint32 → int64) — readers with the old schema replace or skip the value here",
    ],
  },
  {
    name: "a changed format with the same range is documentation",
    before: asked({ type: "number" }),
    after: asked({ type: "number", format: "double" }),
    expected: ["documentation: AskRequest.it has the format double, was (none); the range is the same"],
  },
  {
    name: "adding `minItems: 1` to a list breaks its writers",
    before: asked({ type: "array", items: text }),
    after: asked({ type: "array", items: text, minItems: 1 }),
    expected: ["breaking: AskRequest.it needs at least 1 item, was any number of items; clients must adapt"],
  },
  {
    name: "changed lengths and formats of strings are breaking; an encoding is documentation",
    before: schema({ Ask: { properties: { length: { ...text, minLength: 1 }, encoded: text, format: text } } }),
    after: schema({
      Ask: {
        properties: {
          length: { ...text, minLength: 2 },
          encoded: { ...text, contentEncoding: "base64" },
          format: { ...text, format: "uri" },
        },
      },
    }),
    expected: [
      'breaking: AskRequest.format must match `format: "uri"`; clients must adapt',
      "breaking: AskRequest.length needs at least 2 characters, was at least 1 character; clients must adapt",
      "documentation: AskRequest.encoded is described as base64 now; decoders don't check it",
    ],
  },
];
