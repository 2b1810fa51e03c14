import { answered, asked, type Case, ref, schema, variant } from "./case.js";

const text = { type: "string" };

/** Recovery rules, annotations and documentation: no validator notices. */
export const words: readonly Case[] = [
  {
    name: "recovery rules given up, exchanged and gained are a class of their own",
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
    name: "a recovery rule of the future is decoder behaviour too",
    before: asked(text),
    after: asked({ ...text, "x-deserialize-trim": true }),
    expected: ["decoder behaviour: AskRequest.it decodes more tolerantly: `x-deserialize-trim` holds"],
  },
  {
    name: "titles, discriminators and other annotations",
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
    name: "defaults change what decoders see, and only the part that changed is told",
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
      "annotation: AskRequest.caps has another default: `fs.write: false`; decoders fill it in when it is left out",
      "annotation: AskRequest.plain has the default `true`, was `false`; decoders fill it in when it is left out",
    ],
  },
  {
    name: "a keyword nobody knows is told, not fatal",
    before: asked(text),
    after: asked({ ...text, "x-new": 1, frobnicate: true }),
    expected: [
      "annotation: AskRequest.it has `x-new` now, a keyword this tool doesn't know",
      "annotation: AskRequest.it has `frobnicate` now, a keyword this tool doesn't know",
    ],
  },
  {
    name: "other words are documentation; links alone are told apart",
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
      "documentation: AnswerResponse has other links in its description",
      "documentation: AskRequest is described in other words: `AskRequest.it`",
    ],
  },
  {
    name: "documentation of variants and values, and of a definition that was renamed",
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
    expected: ["documentation: New is described in other words: `New(a)`"],
  },
  {
    name: "a definition that no method reaches is no verdict",
    before: { $defs: { ...(schema({}).$defs as object), Loose: { type: "object", properties: { a: text } } } },
    after: {
      $defs: {
        ...(schema({}).$defs as object),
        Loose: { type: "object", properties: { a: { type: "integer" } } },
        Other: text,
      },
    },
    expected: ["none: Loose.a is integer, was string — no method of both files reaches it"],
  },
  {
    name: "a file without methods is compared definition by definition",
    before: { $defs: { A: { type: "object", properties: { a: text } } } },
    after: { $defs: { A: { type: "object", properties: { a: text, b: text }, required: ["b"] } } },
    expected: ["breaking: A.b is new and required; agents and clients have to send it"],
  },
];
