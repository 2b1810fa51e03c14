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
    name: "an unknown recovery rule has the class `decoder behaviour`, too",
    before: asked(text),
    after: asked({ ...text, "x-deserialize-trim": true }),
    expected: ["decoder behaviour: AskRequest.it decodes more tolerantly: `x-deserialize-trim` holds"],
  },
  {
    name: "changed titles, discriminators and other keywords without effect are annotations",
    before: asked({ oneOf: [{ title: "A", ...variant("a") }, variant("b")] }),
    after: asked({
      oneOf: [{ title: "The A", ...variant("a") }, variant("b")],
      discriminator: { propertyName: "type" },
      "x-docs-ignore": true,
    }),
    expected: [
      "annotation: AskRequest.it has `discriminator` now",
      "annotation: AskRequest.it has `x-docs-ignore` now",
      'annotation: AskRequest.it(a) has the title "The A", was "A"',
    ],
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
      "annotation: AskRequest.caps has a different default: `fs.write: false`; decoders use the default if the value is missing",
      "annotation: AskRequest.plain has the default `true`, was `false`; decoders use the default if the value is missing",
    ],
  },
  {
    name: "a change of an unknown keyword is reported",
    before: asked(text),
    after: asked({ ...text, "x-new": 1, frobnicate: true }),
    expected: [
      "annotation: AskRequest.it has `x-new` now, a keyword this tool doesn't know",
      "annotation: AskRequest.it has `frobnicate` now, a keyword this tool doesn't know",
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
    name: "a definition that no method reaches does not affect the verdict",
    before: { $defs: { ...(schema({}).$defs as object), Loose: { type: "object", properties: { a: text } } } },
    after: {
      $defs: {
        ...(schema({}).$defs as object),
        Loose: { type: "object", properties: { a: { type: "integer" } } },
        Other: text,
      },
    },
    expected: ["none: Loose.a is integer, was string — no method that both files define reaches it"],
  },
  {
    name: "in a file without methods, all definitions are compared",
    before: { $defs: { A: { type: "object", properties: { a: text } } } },
    after: { $defs: { A: { type: "object", properties: { a: text, b: text }, required: ["b"] } } },
    expected: ["breaking: A.b is new and required; agents and clients have to send it"],
  },
];
