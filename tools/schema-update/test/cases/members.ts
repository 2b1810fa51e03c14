import { answered, asked, type Case, ref, schema } from "./case.js";

const text = { type: "string" };

/** Changes of the members of an object. */
export const members: readonly Case[] = [
  {
    name: "a new optional member is additive for both sides",
    before: schema({}),
    after: schema({ Ask: { properties: { more: text } }, Answer: { properties: { more: text } } }),
    expected: ["additive: AnswerResponse.more is new and optional", "additive: AskRequest.more is new and optional"],
  },
  {
    name: "a new required member breaks its writers",
    before: schema({}),
    after: schema({ Ask: { properties: { more: text }, required: ["more"] } }),
    expected: ["breaking: AskRequest.more is new and required; clients have to send it"],
  },
  {
    name: "a member that becomes required breaks its writers only",
    before: schema({ Answer: { properties: { it: text } } }),
    after: schema({ Answer: { properties: { it: text }, required: ["it"] } }),
    expected: ["breaking: AnswerResponse.it is required now; agents have to send it"],
  },
  {
    name: "a member that becomes optional breaks its readers",
    before: schema({ Answer: { properties: { it: text }, required: ["it"] } }),
    after: schema({ Answer: { properties: { it: text } } }),
    expected: ["breaking: AnswerResponse.it may be omitted now; clients must handle its absence"],
  },
  {
    name: "a lenient member that becomes optional breaks readers too, because recovery needs a value",
    before: schema({
      Answer: { properties: { it: { ...text, "x-deserialize-default-on-error": true } }, required: ["it"] },
    }),
    after: schema({ Answer: { properties: { it: { ...text, "x-deserialize-default-on-error": true } } } }),
    expected: ["breaking: AnswerResponse.it may be omitted now; clients must handle its absence"],
  },
  {
    name: "a removed member breaks its readers, even if it was optional",
    before: schema({ Answer: { properties: { it: text } }, Ask: { properties: { it: text }, required: ["it"] } }),
    after: schema({}),
    expected: [
      "breaking: AnswerResponse.it was removed; clients no longer receive it",
      "breaking: AskRequest.it was removed; agents no longer receive it",
    ],
  },
  {
    name: "a change in a shared definition is reported once, with both directions",
    before: schema({
      Ask: { properties: { it: ref("Shared") } },
      Answer: { properties: { it: ref("Shared") } },
      Shared: { type: "object" },
    }),
    after: schema({
      Ask: { properties: { it: ref("Shared") } },
      Answer: { properties: { it: ref("Shared") } },
      Shared: { type: "object", properties: { id: text }, required: ["id"] },
    }),
    expected: ["breaking: Shared.id is new and required; agents and clients have to send it"],
  },
  {
    name: "a changed type is breaking for both sides",
    before: asked(text),
    after: asked({ type: "integer" }),
    expected: ["breaking: AskRequest.it is integer, was string; agents and clients must adapt"],
  },
  {
    name: "a changed type is also breaking in a lenient member",
    before: answered({ ...text, "x-deserialize-default-on-error": true }),
    after: answered({ type: "boolean", "x-deserialize-default-on-error": true }),
    expected: ["breaking: AnswerResponse.it is boolean, was string; agents and clients must adapt"],
  },
  {
    name: "allowing null breaks readers",
    before: answered(text),
    after: answered({ type: ["string", "null"] }),
    expected: ["breaking: AnswerResponse.it may be `null` now; clients have to accept it"],
  },
  {
    name: "allowing null in a lenient member is additive",
    before: answered({ ...text, "x-deserialize-default-on-error": true }),
    after: answered({ type: ["string", "null"], "x-deserialize-default-on-error": true }),
    expected: [
      "additive: AnswerResponse.it may be `null` now — readers with the old schema replace or skip the value here",
    ],
  },
  {
    name: "allowing null is additive if decoders already read null as empty",
    before: answered({ type: "array", items: text, "x-deserialize-default-on-null": true }),
    after: answered({ type: ["array", "null"], items: text, "x-deserialize-default-on-null": true }),
    expected: [
      "additive: AnswerResponse.it may be `null` now — readers with the old schema replace or skip the value here",
    ],
  },
  {
    name: "forbidding null breaks writers",
    before: asked({ anyOf: [ref("Id"), { type: "null" }] }, { Id: text }),
    after: asked(ref("Id"), { Id: text }),
    expected: ["breaking: AskRequest.it may no longer be `null`; clients must not send it"],
  },
  {
    name: "integer to number breaks readers; number to integer breaks writers",
    before: schema({ Ask: { properties: { a: { type: "integer" }, b: { type: "number" } } } }),
    after: schema({ Ask: { properties: { a: { type: "number" }, b: { type: "integer" } } } }),
    expected: [
      "breaking: AskRequest.a is number, was integer; agents have to accept it",
      "breaking: AskRequest.b is integer, was number; clients must adapt",
    ],
  },
  {
    name: '"any value" becomes a type, and a type becomes "any value"',
    before: schema({ Ask: { properties: { a: {}, b: text } } }),
    after: schema({ Ask: { properties: { a: text, b: {} } } }),
    expected: [
      "breaking: AskRequest.a is string, was any value; clients must adapt",
      "breaking: AskRequest.b may be any value now, was string; agents have to accept it",
    ],
  },
  {
    name: "describing `_meta` as a map is no difference, because `_meta` always was a map",
    before: schema({ Ask: { properties: { _meta: {} } } }),
    after: schema({ Ask: { properties: { _meta: { type: ["object", "null"], additionalProperties: true } } } }),
    expected: [],
  },
  {
    name: "items and map values are compared, with their path",
    before: schema({
      Ask: {
        properties: {
          list: { type: "array", items: text },
          map: { type: "object", additionalProperties: text },
        },
      },
    }),
    after: schema({
      Ask: {
        properties: {
          list: { type: "array", items: { type: "integer" } },
          map: { type: "object", additionalProperties: { type: ["string", "null"] } },
        },
      },
    }),
    expected: [
      "breaking: AskRequest.list[] is integer, was string; agents and clients must adapt",
      "breaking: AskRequest.map{} may be `null` now; agents have to accept it",
    ],
  },
  {
    name: "moving a member from beside the tag into the payload changes nothing for readers",
    before: asked({
      oneOf: [
        { type: "object", properties: { type: { type: "string", const: "a" }, id: text }, required: ["type", "id"] },
        { type: "object", properties: { type: { type: "string", const: "b" } }, required: ["type"] },
      ],
    }),
    after: asked(
      {
        oneOf: [
          {
            type: "object",
            properties: { type: { type: "string", const: "a" } },
            required: ["type"],
            allOf: [ref("A")],
          },
          { type: "object", properties: { type: { type: "string", const: "b" } }, required: ["type"] },
        ],
      },
      { A: { type: "object", properties: { id: text }, required: ["id"] } },
    ),
    expected: [],
  },
];
