import type { JsonObject } from "../../src/source/schema-file.js";
import { answered, asked, type Case, catchAll, constants, ref, schema, variant } from "./case.js";

const text = { type: "string" };
const closed = (...values: string[]): JsonObject => ({ oneOf: constants(...values) });
const payload = {
  Text: { type: "object", properties: { text }, required: ["text"] },
  Image: { type: "object", properties: { data: text } },
};

/** Two objects that one value can fit. */
const overlapping: JsonObject = {
  One: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  Two: { type: "object", properties: { b: { type: "string" } }, required: ["b"] },
};

/** Added and removed variants and values. */
export const unions: readonly Case[] = [
  {
    name: "a new variant of a closed union breaks readers",
    before: answered({ oneOf: [variant("text", "Text")] }, payload),
    after: answered({ oneOf: [variant("text", "Text"), variant("image", "Image")] }, payload),
    expected: ["breaking: AnswerResponse.it(image) is a new variant; clients have to accept it"],
  },
  {
    name: "a new variant of an open union is additive, and its tag in the `not` of the catch-all is not a change",
    before: answered({ anyOf: [variant("text", "Text"), catchAll(["text"])] }, payload),
    after: answered(
      { anyOf: [variant("text", "Text"), variant("image", "Image"), catchAll(["text", "image"])] },
      payload,
    ),
    expected: ["additive: AnswerResponse.it(image) is a new variant of an open union"],
  },
  {
    name: "the catch-all may be any branch, not only the last one",
    before: answered({
      anyOf: [
        variant("text"),
        catchAll(["text"]),
        { title: "titled", type: "object", properties: { anyOf: text }, required: ["anyOf"] },
      ],
    }),
    after: answered({
      anyOf: [
        variant("text"),
        variant("rich"),
        catchAll(["text", "rich"]),
        { title: "titled", type: "object", properties: { anyOf: text }, required: ["anyOf"] },
      ],
    }),
    expected: ["additive: AnswerResponse.it(rich) is a new variant of an open union"],
  },
  {
    name: "a new variant where old readers skip what they can't read is additive",
    before: answered({
      type: "array",
      items: { oneOf: [variant("a"), variant("b")] },
      "x-deserialize-skip-invalid-items": true,
    }),
    after: answered({
      type: "array",
      items: { oneOf: [variant("a"), variant("b"), variant("c")] },
      "x-deserialize-skip-invalid-items": true,
    }),
    expected: [
      "additive: AnswerResponse.it[](c) is a new variant — readers with the old schema replace or skip the value here",
    ],
  },
  {
    name: "recovery counts only if every reference to the union recovers",
    before: schema({
      Answer: { properties: { soft: { allOf: [ref("U")], "x-deserialize-default-on-error": true }, hard: ref("U") } },
      U: { oneOf: [variant("a"), variant("b")] },
    }),
    after: schema({
      Answer: { properties: { soft: { allOf: [ref("U")], "x-deserialize-default-on-error": true }, hard: ref("U") } },
      U: { oneOf: [variant("a"), variant("b"), variant("c")] },
    }),
    expected: ["breaking: U(c) is a new variant; clients have to accept it"],
  },
  {
    name: "a new variant that requires a new capability of its readers is additive",
    before: schema({
      Ask: { properties: { capabilities: ref("ClientCapabilities") } },
      Answer: { properties: { it: { oneOf: [variant("text", "Text"), variant("image", "Image")] } } },
      ClientCapabilities: { type: "object" },
      ...payload,
    }),
    after: schema({
      Ask: { properties: { capabilities: ref("ClientCapabilities") } },
      Answer: {
        properties: { it: { oneOf: [variant("text", "Text"), variant("image", "Image"), variant("notice")] } },
      },
      ClientCapabilities: { type: "object", properties: { notices: { type: "object", properties: { _meta: {} } } } },
      ...payload,
    }),
    expected: [
      "additive: ClientCapabilities.notices is new and optional",
      "additive: AnswerResponse.it(notice) is a new variant — gated by the capability `client.notices`; only code that switches exhaustively over the closed union needs a new case",
    ],
  },
  {
    name: "a capability of the writers gates no variant",
    before: schema({
      Answer: { properties: { capabilities: ref("AgentCapabilities"), it: { oneOf: [variant("a"), variant("b")] } } },
      AgentCapabilities: { type: "object", properties: { notices: { type: "boolean" } } },
    }),
    after: schema({
      Answer: {
        properties: {
          capabilities: ref("AgentCapabilities"),
          it: { oneOf: [variant("a"), variant("b"), variant("notice")] },
        },
      },
      AgentCapabilities: { type: "object", properties: { notices: { type: "boolean" } } },
    }),
    expected: ["breaking: AnswerResponse.it(notice) is a new variant; clients have to accept it"],
  },
  {
    name: "a capability that only the description names gates a variant, too",
    before: answered({ oneOf: [variant("a"), variant("b")] }),
    after: answered({
      oneOf: [
        variant("a"),
        variant("b"),
        {
          ...variant("c"),
          description: "Agents MUST only send this when the Client advertised\nthe `session.cees` Client capability.",
        },
      ],
    }),
    expected: [
      "additive: AnswerResponse.it(c) is a new variant — gated by the capability `session.cees`; only code that switches exhaustively over the closed union needs a new case",
    ],
  },
  {
    name: "a removed variant breaks its writers",
    before: asked({ oneOf: [variant("text", "Text"), variant("image", "Image"), variant("none")] }, payload),
    after: asked({ oneOf: [variant("text", "Text"), variant("none")] }, payload),
    expected: ["breaking: AskRequest.it(image) was removed; clients must not send it"],
  },
  {
    name: "variants that are definitions of their own, with the tag inside",
    before: schema({
      Ask: {
        properties: { grows: { anyOf: [ref("A"), ref("B")] }, shrinks: { anyOf: [ref("A"), ref("B"), ref("C")] } },
      },
      Answer: { properties: { swaps: { anyOf: [ref("A"), ref("B"), ref("C")] } } },
      ...{ A: variant("a"), B: variant("b"), C: variant("c"), D: variant("d") },
    }),
    after: schema({
      Ask: {
        properties: { grows: { anyOf: [ref("A"), ref("B"), ref("C")] }, shrinks: { anyOf: [ref("A"), ref("B")] } },
      },
      Answer: { properties: { swaps: { anyOf: [ref("A"), ref("B"), ref("D")] } } },
      ...{ A: variant("a"), B: variant("b"), C: variant("c"), D: variant("d") },
    }),
    expected: [
      "breaking: AnswerResponse.swaps(c) was removed; agents must not send it",
      "breaking: AskRequest.shrinks(c) was removed; clients must not send it",
      "breaking: AnswerResponse.swaps(d) is a new variant; clients have to accept it",
      "breaking: AskRequest.grows(c) is a new variant; agents have to accept it",
    ],
  },
  {
    name: "a variant with another tag: the removed tag breaks writers, the new tag breaks readers",
    before: asked({ oneOf: [variant("text", "Text"), variant("none")] }, payload),
    after: asked({ oneOf: [variant("plain", "Text"), variant("none")] }, payload),
    expected: [
      "breaking: AskRequest.it(text) was removed (`plain` has the same payload now); clients must not send it",
      "breaking: AskRequest.it(plain) is a new variant; agents have to accept it",
    ],
  },
  {
    name: "a variant removed from an open union stays valid as an unknown variant",
    before: answered({ anyOf: [variant("a"), variant("b"), catchAll(["a", "b"])] }),
    after: answered({ anyOf: [variant("a"), catchAll(["a"])] }),
    expected: [
      "breaking: AnswerResponse.it(b) was removed; it stays valid as an unknown variant; clients need not understand it any more",
    ],
  },
  {
    name: "another member as the tag is breaking for both sides",
    before: asked({ oneOf: [variant("a", "Text"), variant("b")] }, payload),
    after: asked({ oneOf: [variant("a", "Text", "kind"), variant("b", undefined, "kind")] }, payload),
    expected: ["breaking: AskRequest.it is distinguished by `kind`, was `type`; agents and clients must adapt"],
  },
  {
    name: "a closed union that is opened breaks readers, because they have to expect unknown variants",
    before: answered({ oneOf: [variant("a"), variant("b")] }),
    after: answered({ anyOf: [variant("a"), variant("b"), catchAll(["a", "b"])] }),
    expected: ["breaking: AnswerResponse.it accepts unknown variants now; clients have to expect them"],
  },
  {
    name: "an open union that is closed breaks writers, because they may send only known variants",
    before: answered({ anyOf: [variant("a"), variant("b"), catchAll(["a", "b"])] }),
    after: answered({ oneOf: [variant("a"), variant("b")] }),
    expected: ["breaking: AnswerResponse.it accepts only known variants now; agents must not send others"],
  },
  {
    name: "an object that becomes a tagged union has the tag as a new required member",
    before: answered(ref("Command"), {
      Command: { type: "object", properties: { name: text, description: text }, required: ["name", "description"] },
    }),
    after: answered(ref("Command"), {
      Command: { anyOf: [variant("command", "Simple"), catchAll(["command"])] },
      Simple: { type: "object", properties: { name: text, description: text }, required: ["name", "description"] },
    }),
    expected: [
      "breaking: Command(command).type is new and required; agents have to send it",
      "breaking: Command accepts unknown variants now; clients have to expect them",
    ],
  },
  {
    name: "untagged branches are matched by definition, then by title",
    before: asked(
      {
        anyOf: [
          { title: "one", type: "object", properties: { a: text }, required: ["a"] },
          ref("Two"),
          { title: "three", type: "array", items: text },
        ],
      },
      { Two: { type: "object", properties: { b: text }, required: ["b"] } },
    ),
    after: asked(
      {
        anyOf: [
          ref("Two"),
          { title: "three", type: "array", items: text },
          { title: "one", type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
        ],
      },
      { Two: { type: "object", properties: { b: text }, required: ["b"] } },
    ),
    expected: [
      "breaking: AskRequest.it(one).a is integer, was string; agents and clients must adapt",
      "decoder behaviour: AskRequest.it decodes a value that matches both `Two` and `one` as `Two` now; previously as `one`",
    ],
  },
  {
    name: "a type added to a union breaks readers; a type removed from a union breaks writers",
    before: schema({ Ask: { properties: { a: { anyOf: [text, { type: "integer" }] }, b: text } } }),
    after: schema({ Ask: { properties: { a: text, b: { anyOf: [text, { type: "boolean" }] } } } }),
    expected: [
      "breaking: AskRequest.a may no longer be integer; clients must not send it",
      "breaking: AskRequest.b may also be boolean now; agents have to accept it",
    ],
  },
  {
    name: "`anyOf` becomes `oneOf` where a value can fit both",
    before: asked(ref("Scope"), {
      Scope: { type: "object", properties: {}, anyOf: [ref("A"), ref("B")] },
      A: { type: "object", properties: { a: text }, required: ["a"] },
      B: { type: "object", properties: { b: text }, required: ["b"] },
    }),
    after: asked(ref("Scope"), {
      Scope: { type: "object", properties: {}, oneOf: [ref("A"), ref("B")] },
      A: { type: "object", properties: { a: text }, required: ["a"] },
      B: { type: "object", properties: { b: text }, required: ["b"] },
    }),
    expected: ["breaking: Scope must match exactly one of its forms now (`oneOf`, was `anyOf`); clients must adapt"],
  },
  {
    name: "a new value of a closed enum breaks readers; a new value of an open enum breaks neither side",
    before: schema({
      Answer: {
        properties: {
          closed: { oneOf: constants("a", "b") },
          open: { anyOf: [...constants("a", "b"), { title: "other", type: "string" }] },
        },
      },
    }),
    after: schema({
      Answer: {
        properties: {
          closed: { oneOf: constants("a", "b", "c") },
          open: { anyOf: [...constants("a", "b", "c"), { title: "other", type: "string" }] },
        },
      },
    }),
    expected: [
      "breaking: AnswerResponse.closed may be `c` now; clients have to accept it",
      "additive: AnswerResponse.open may be `c` now; the old schema already allowed values that it did not list",
    ],
  },
  {
    name: "a new value is additive where old readers use a default instead",
    before: answered({ oneOf: constants("a", "b"), "x-deserialize-default-on-error": true }),
    after: answered({ oneOf: constants("a", "b", "c"), "x-deserialize-default-on-error": true }),
    expected: [
      "additive: AnswerResponse.it may be `c` now — readers with the old schema replace or skip the value here",
    ],
  },
  {
    name: "a removed value is breaking, also in an open enum",
    before: schema({
      Ask: { properties: { closed: closed("a", "b"), open: { anyOf: [...constants(1, 2), { type: "integer" }] } } },
    }),
    after: schema({
      Ask: { properties: { closed: closed("a"), open: { anyOf: [...constants(1), { type: "integer" }] } } },
    }),
    expected: [
      "breaking: AskRequest.closed no longer defines `b`; clients must not send it",
      "breaking: AskRequest.open no longer defines `2`, which stays valid as an unknown value; agents need not understand it any more",
    ],
  },
  {
    name: "an enum that is opened breaks readers; an enum that is closed breaks writers",
    before: schema({
      Ask: { properties: { opens: closed("a", "b"), closes: { anyOf: [...constants("a"), text] } } },
    }),
    after: schema({
      Ask: { properties: { opens: { anyOf: [...constants("a", "b"), text] }, closes: closed("a") } },
    }),
    expected: [
      "breaking: AskRequest.closes may only be `a` now; clients must not send anything else",
      "breaking: AskRequest.opens may be any string now, not only `a` and `b`; agents have to accept unknown values",
    ],
  },
  {
    name: "a string that becomes an open enum",
    before: asked(text),
    after: asked({ anyOf: [...constants("a", "b"), { title: "other", type: "string" }] }),
    expected: ["additive: AskRequest.it names the values `a` and `b`; any other value stays valid"],
  },
  {
    name: "a new order of alternatives without a tag changes the decoding of values that match two of them",
    before: asked({ anyOf: [ref("One"), ref("Two")] }, overlapping),
    after: asked({ anyOf: [ref("Two"), ref("One")] }, overlapping),
    expected: [
      "decoder behaviour: AskRequest.it decodes a value that matches both `Two` and `One` as `Two` now; previously as `One`",
    ],
  },
  {
    name: "the order of variants with tags is not relevant",
    before: asked({ anyOf: [variant("a"), variant("b")] }),
    after: asked({ anyOf: [variant("b"), variant("a")] }),
    expected: [],
  },
  {
    name: "of two capabilities with the same last name, the report names the one whose parent matches the union",
    before: gatedBy({ anyOf: [variant("other")] }, "TerminalEvent"),
    after: gatedBy({ anyOf: [variant("other"), variant("closed")] }, "TerminalEvent"),
    expected: [
      "additive: TerminalEvent(closed) is a new variant — gated by the capability `agent.terminal.closed`; only code that switches exhaustively over the closed union needs a new case",
    ],
  },
  {
    name: "of two capabilities with the same last name, the report names neither if no parent matches the union",
    before: gatedBy({ anyOf: [variant("other")] }, "Event"),
    after: gatedBy({ anyOf: [variant("other"), variant("closed")] }, "Event"),
    expected: ["breaking: Event(closed) is a new variant; agents have to accept it"],
  },
  {
    name: "a new variant that only selects a gated option is gated by the same capability",
    before: options([variant("select")]),
    after: options([variant("select"), variant("boolean")]),
    expected: [
      "additive: Option(boolean) is a new variant — gated by the capability `client.boolean`; only code that switches exhaustively over the closed union needs a new case",
      "additive: SetOptionRequest(boolean) is a new variant — chosen only among the options that were offered as `Option(boolean)`, which is gated by the capability `client.boolean`; only code that switches exhaustively over the closed union needs a new case",
    ],
  },
];

/** An agent that advertises two capabilities named `closed`, and reads the events of a client. */
function gatedBy(it: JsonObject, name: string): JsonObject {
  const closed = { type: "object", properties: { closed: { type: "boolean" } } };
  return schema({
    Answer: { properties: { capabilities: ref("AgentCapabilities") } },
    AgentCapabilities: { type: "object", properties: { session: closed, terminal: closed } },
    Ask: { properties: { event: ref(name) } },
    [name]: it,
  });
}

/** An agent that offers options to a client whose capabilities it knows, and receives the client's choice. */
function options(variants: readonly JsonObject[]): JsonObject {
  const set = { "x-method": "option/set", "x-side": "agent" };
  return schema({
    Ask: { properties: { capabilities: ref("ClientCapabilities") } },
    ClientCapabilities: { type: "object", properties: { boolean: { type: "boolean" } } },
    Answer: { properties: { options: { type: "array", items: ref("Option") } } },
    Option: { anyOf: variants },
    SetOptionRequest: { anyOf: variants, ...set },
    SetOptionResponse: { type: "object", ...set },
  });
}
