import { answered, asked, type Case, ref, schema, variant } from "./case.js";

const text = { type: "string" };

/** Recovery rules, annotations and documentation, which no validator checks. */
export const words: readonly Case[] = [
  {
    name: "removed, changed and added recovery rules have the class `decoder behaviour`",
    before: schema({
      Ask: {
        properties: {
          lost: { ...text, "x-deserialize-default-on-error": true },
          exchanged: {
            type: "array",
            items: text,
            "x-deserialize-default-on-error": true,
            "x-deserialize-skip-invalid-items": true,
          },
          gained: { type: "array", items: text },
        },
      },
    }),
    after: schema({
      Ask: {
        properties: {
          lost: text,
          exchanged: { type: "array", items: text, "x-deserialize-default-on-null": true },
          gained: { type: "array", items: text, "x-deserialize-default-on-null": true },
        },
      },
    }),
    expected: [
      "decoder behaviour: AskRequest.exchanged decodes more strictly: a malformed value fails and a malformed item fails, but `null` counts as empty",
      "decoder behaviour: AskRequest.gained decodes more tolerantly: `null` counts as empty",
      "decoder behaviour: AskRequest.lost decodes more strictly: a malformed value fails",
    ],
  },
  {
    name: "a title of a variant with a tag, and a discriminator, change nothing",
    before: asked({ oneOf: [{ title: "A", ...variant("a") }, variant("b")] }),
    after: asked({
      oneOf: [{ title: "The A", ...variant("a") }, variant("b")],
      discriminator: { propertyName: "type" },
    }),
    expected: [],
  },
  {
    name: "the report of a changed default contains only the changed part",
    before: schema({
      Ask: {
        properties: {
          plain: { type: "boolean", default: false },
          caps: { type: "object", default: { fs: { read: false } } },
        },
      },
    }),
    after: schema({
      Ask: {
        properties: {
          plain: { type: "boolean", default: true },
          caps: { type: "object", default: { fs: { read: false, write: false } } },
        },
      },
    }),
    expected: [
      "decoder behaviour: AskRequest.caps has a different default: `fs.write: false`; decoders use the default if the value is missing",
      "decoder behaviour: AskRequest.plain has the default `true`, was `false`; decoders use the default if the value is missing",
    ],
  },
  {
    name: "a new description is documentation; a change of links alone is reported separately",
    before: schema({
      Ask: {
        description: "See [Modes](https://a.example/x)",
        properties: { it: { ...text, description: "The line." } },
      },
      Answer: { description: "See [Modes](https://a.example/x)" },
    }),
    after: schema({
      Ask: {
        description: "See [Modes](https://a.example/y)",
        properties: { it: { ...text, description: "The line, from 1." } },
      },
      Answer: { description: "See [Modes](https://a.example/y)" },
    }),
    expected: [
      "documentation: AnswerResponse has the same description, but with different links",
      "documentation: AskRequest has a changed description: `AskRequest.it`",
    ],
  },
  {
    name: "changed descriptions of variants, values and a renamed definition are documentation",
    before: answered(ref("Old"), {
      Old: {
        oneOf: [
          { type: "string", const: "a", description: "one" },
          { type: "string", const: "b" },
        ],
        description: "x",
      },
    }),
    after: answered(ref("New"), {
      New: {
        oneOf: [
          { type: "string", const: "a", description: "two" },
          { type: "string", const: "b" },
        ],
        description: "x",
      },
    }),
    expected: ["documentation: New has a changed description: `New(a)`"],
  },
  {
    name: "a definition that no method reaches is not a difference of the messages",
    before: schema({ Loose: { type: "object", properties: { a: text } } }),
    after: schema({ Loose: { type: "object", properties: { a: { type: "integer" } } }, Other: text }),
    expected: [],
  },
];
