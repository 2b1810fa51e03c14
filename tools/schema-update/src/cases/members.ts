import { answered, asked, type Case, ref, schema } from "./case.js";

const text = { type: "string" };

/** What happens to the members of an object. */
export const members: readonly Case[] = [
  {
    name: "a new optional member is additive, whoever writes it",
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
    name: "a member that may be left out breaks its readers",
    before: schema({ Answer: { properties: { it: text }, required: ["it"] } }),
    after: schema({ Answer: { properties: { it: text } } }),
    expected: ["breaking: AnswerResponse.it may be left out now; clients have to do without it"],
  },
  {
    name: "recovery needs a value: a member that may be left out breaks readers in a lenient place too",
    before: schema({
      Answer: { properties: { it: { ...text, "x-deserialize-default-on-error": true } }, required: ["it"] },
    }),
    after: schema({ Answer: { properties: { it: { ...text, "x-deserialize-default-on-error": true } } } }),
    expected: ["breaking: AnswerResponse.it may be left out now; clients have to do without it"],
  },
  {
    name: "a removed member breaks its readers, optional or not",
    before: schema({ Answer: { properties: { it: text } }, Ask: { properties: { it: text }, required: ["it"] } }),
    after: schema({}),
    expected: [
      "breaking: AnswerResponse.it is gone; clients no longer get it",
      "breaking: AskRequest.it is gone; agents no longer get it",
    ],
  },
  {
    name: "required without a declaration is a member all the same",
    before: schema({}),
    after: schema({ Ask: { required: ["it"] } }),
    expected: ["breaking: AskRequest.it is new and required; clients have to send it"],
  },
  {
    name: "a change in a shared definition is told once, with both directions",
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
    name: "another type is breaking for both ends",
    before: asked(text),
    after: asked({ type: "integer" }),
    expected: ["breaking: AskRequest.it is integer, was string; agents and clients have to follow"],
  },
  {
    name: "another type is breaking in a lenient place too",
    before: answered({ ...text, "x-deserialize-default-on-error": true }),
    after: answered({ type: "boolean", "x-deserialize-default-on-error": true }),
    expected: ["breaking: AnswerResponse.it is boolean, was string; agents and clients have to follow"],
  },
  {
    name: "null where there was none breaks readers",
    before: answered(text),
    after: answered({ type: ["string", "null"] }),
    expected: ["breaking: AnswerResponse.it may be `null` now; clients have to accept it"],
  },
  {
    name: "null in a lenient place is additive",
    before: answered({ ...text, "x-deserialize-default-on-error": true }),
    after: answered({ type: ["string", "null"], "x-deserialize-default-on-error": true }),
    expected: ["additive: AnswerResponse.it may be `null` now — readers of the old schema replace or skip it here"],
  },
  {
    name: "null that counted as empty already is additive",
    before: answered({ type: "array", items: text, "x-deserialize-default-on-null": true }),
    after: answered({ type: ["array", "null"], items: text, "x-deserialize-default-on-null": true }),
    expected: ["additive: AnswerResponse.it may be `null` now — readers of the old schema replace or skip it here"],
  },
  {
    name: "null no more breaks writers",
    before: asked({ anyOf: [ref("Id"), { type: "null" }] }, { Id: text }),
    after: asked(ref("Id"), { Id: text }),
    expected: ["breaking: AskRequest.it may no longer be `null`; clients must not send it"],
  },
  {
    name: "integers become numbers: readers have to cope; numbers become integers: writers do",
    before: schema({ Ask: { properties: { a: { type: "integer" }, b: { type: "number" } } } }),
    after: schema({ Ask: { properties: { a: { type: "number" }, b: { type: "integer" } } } }),
    expected: [
      "breaking: AskRequest.a is number, was integer; agents have to accept it",
      "breaking: AskRequest.b is integer, was number; clients have to follow",
    ],
  },
  {
    name: "any value becomes a type, and the other way round",
    before: schema({ Ask: { properties: { a: {}, b: text } } }),
    after: schema({ Ask: { properties: { a: text, b: {} } } }),
    expected: [
      "breaking: AskRequest.a is string, was any value; clients have to follow",
      "breaking: AskRequest.b may be any value now, was string; agents have to accept it",
    ],
  },
  {
    name: "`_meta` always was a map: saying so is an annotation",
    before: schema({ Ask: { properties: { _meta: {} } } }),
    after: schema({ Ask: { properties: { _meta: { type: ["object", "null"], additionalProperties: true } } } }),
    expected: ["annotation: AskRequest._meta is described as an object now; by convention it always was one"],
  },
  {
    name: "items and map values are compared where they stand",
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
      "breaking: AskRequest.list[] is integer, was string; agents and clients have to follow",
      "breaking: AskRequest.map{} may be `null` now; agents have to accept it",
    ],
  },
  {
    name: "an object that is closed breaks writers of other members; `true` and nothing are the same",
    before: schema({ Ask: { additionalProperties: true }, Answer: { properties: { a: text } } }),
    after: schema({ Answer: { properties: { a: text }, additionalProperties: false } }),
    expected: ["breaking: AnswerResponse admits no further members, was any further members; agents have to follow"],
  },
  {
    name: "a member that moves into the payload beside its tag stays where readers look for it",
    before: asked({
      oneOf: [
        { type: "object", properties: { type: { const: "a" }, id: text }, required: ["type", "id"] },
        { type: "object", properties: { type: { const: "b" } }, required: ["type"] },
      ],
    }),
    after: asked(
      {
        oneOf: [
          { type: "object", properties: { type: { const: "a" } }, required: ["type"], allOf: [ref("A")] },
          { type: "object", properties: { type: { const: "b" } }, required: ["type"] },
        ],
      },
      { A: { type: "object", properties: { id: text }, required: ["id"] } },
    ),
    expected: [],
  },
];
