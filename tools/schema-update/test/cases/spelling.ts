import { asked, type Case, constants, document, ref, schema, variant } from "./case.js";

const text = { type: "string" };
const status = { type: "string", enum: ["on", "off"] };

/** Other spellings of the same schema: no change is reported. */
export const spelling: readonly Case[] = [
  {
    name: "`enum` and `oneOf` of `const`",
    before: asked(ref("Status"), { Status: status }),
    after: asked(ref("Status"), { Status: { oneOf: constants("on", "off") } }),
    expected: [],
  },
  {
    name: "`$ref` and `allOf` with one `$ref`, with or without a description",
    before: asked(ref("Status"), { Status: status }),
    after: asked({ allOf: [ref("Status")] }, { Status: status }),
    expected: [],
  },
  {
    name: "`type: [x, null]`, `anyOf` with null and `oneOf` with null",
    before: schema({
      Ask: { properties: { a: { type: ["string", "null"] }, b: { anyOf: [ref("Status"), { type: "null" }] } } },
      Status: status,
    }),
    after: schema({
      Ask: {
        properties: {
          a: { anyOf: [text, { type: "null" }] },
          b: { oneOf: [{ type: "null" }, { allOf: [ref("Status")] }] },
        },
      },
      Status: status,
    }),
    expected: [],
  },
  {
    name: "an object and a union with one branch",
    before: asked(ref("Input"), { Input: { type: "object", properties: { hint: text }, required: ["hint"] } }),
    after: asked(ref("Input"), {
      Input: { anyOf: [{ allOf: [ref("PlainInput")] }] },
      PlainInput: { type: "object", properties: { hint: text }, required: ["hint"] },
    }),
    expected: [],
  },
  {
    name: "a definition with another name",
    before: schema({
      Ask: { properties: { a: ref("Old"), list: { type: "array", items: ref("Old") } } },
      Old: { type: "object", properties: { id: text } },
    }),
    after: schema({
      Ask: { properties: { a: ref("New"), list: { type: "array", items: ref("New") } } },
      New: { type: "object", properties: { id: text } },
    }),
    expected: [],
  },
  {
    name: "the params of a method with another name",
    before: document({
      OldRequest: { type: "object", properties: { id: text }, "x-method": "a/b", "x-side": "agent" },
      OldResponse: { type: "object", "x-method": "a/b", "x-side": "agent" },
    }),
    after: document({
      NewRequest: { type: "object", properties: { id: text }, "x-method": "a/b", "x-side": "agent" },
      NewResponse: { type: "object", "x-method": "a/b", "x-side": "agent" },
    }),
    expected: [],
  },
  {
    name: "a definition that becomes inline, and an inline schema that becomes a definition",
    before: schema({ Ask: { properties: { a: ref("Id"), b: { type: "object", properties: { c: text } } } }, Id: text }),
    after: schema({ Ask: { properties: { a: text, b: ref("B") } }, B: { type: "object", properties: { c: text } } }),
    expected: [],
  },
  {
    name: "an added or removed alias",
    before: asked(ref("A"), { A: text }),
    after: asked(ref("A"), { A: ref("B"), B: { allOf: [ref("C")] }, C: text }),
    expected: [],
  },
  {
    name: "an inline payload and a payload by reference",
    before: asked(ref("Block"), {
      Block: {
        oneOf: [
          { type: "object", properties: { type: { type: "string", const: "text" }, text }, required: ["type", "text"] },
          variant("none"),
        ],
      },
    }),
    after: asked(ref("Block"), {
      Block: { oneOf: [variant("text", "Text"), variant("none")] },
      Text: { type: "object", properties: { text }, required: ["text"] },
    }),
    expected: [],
  },
  {
    name: "`oneOf` and `anyOf` between variants that exclude each other",
    before: asked({ oneOf: [variant("a"), variant("b")] }),
    after: asked({ anyOf: [variant("b"), variant("a")] }),
    expected: [],
  },
  {
    name: "unions inside unions",
    before: asked({ anyOf: [{ anyOf: [ref("A"), ref("B")] }, { type: "null" }] }, { A: variant("a"), B: variant("b") }),
    after: asked({ anyOf: [ref("A"), ref("B"), { type: "null" }] }, { A: variant("a"), B: variant("b") }),
    expected: [],
  },
  {
    name: "an object whose tag is an enum, and a union with a variant for each value",
    before: asked({
      type: "object",
      properties: { state: { type: "string", enum: ["on", "off"] }, id: text },
      required: ["state"],
    }),
    after: asked({
      type: "object",
      properties: { id: text },
      anyOf: [variant("on", undefined, "state"), variant("off", undefined, "state")],
    }),
    expected: [],
  },
  {
    name: "another spelling of the same range; another order of keys, members, branches and required",
    before: schema({
      Ask: { properties: { n: { type: "integer", format: "uint16" }, s: text }, required: ["n", "s"] },
    }),
    after: schema({
      Ask: {
        required: ["s", "n"],
        properties: { s: text, n: { maximum: 65535, minimum: 0, format: "uint16", type: "integer" } },
      },
    }),
    expected: [],
  },
  {
    name: "`additionalProperties: true`, `{}`, and no `additionalProperties`",
    before: asked({ type: "object", additionalProperties: true }),
    after: asked({ type: "object", additionalProperties: {} }),
    expected: [],
  },
];
