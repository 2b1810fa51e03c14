import type { JsonObject } from "../normalize/json.js";
import { answered, asked, type Case, catchAll, constants, ref, schema, variant } from "./case.js";

const text = { type: "string" };
const payload = {
  Text: { type: "object", properties: { text }, required: ["text"] },
  Image: { type: "object", properties: { data: text } },
};

/** Two objects that one value can fit. */
const overlapping: JsonObject = {
  One: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  Two: { type: "object", properties: { b: { type: "string" } }, required: ["b"] },
};

/** Variants and values that come and go. */
export const unions: readonly Case[] = [
  {
    name: "a new variant of a closed union breaks readers",
    before: answered({ oneOf: [variant("text", "Text")] }, payload),
    after: answered({ oneOf: [variant("text", "Text"), variant("image", "Image")] }, payload),
    expected: ["breaking: AnswerResponse.it(image) is a new variant; clients have to accept it"],
  },
  {
    name: "a new variant of an open union is additive, and its tag in the catch-all's `not` is no news",
    before: answered({ anyOf: [variant("text", "Text"), catchAll(["text"])] }, payload),
    after: answered(
      { anyOf: [variant("text", "Text"), variant("image", "Image"), catchAll(["text", "image"])] },
      payload,
    ),
    expected: ["additive: AnswerResponse.it(image) is a new variant of an open union"],
  },
  {
    name: "the catch-all may stand in the middle",
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
    expected: ["additive: AnswerResponse.it[](c) is a new variant — readers of the old schema replace or skip it here"],
  },
  {
    name: "leniency counts only when every way to the place is lenient",
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
    name: "a new variant that waits for a new capability of its readers is additive",
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
      "additive: AnswerResponse.it(notice) is a new variant — gated by the capability `ClientCapabilities.notices`; only code that switches exhaustively over the closed union needs a new case",
    ],
  },
  {
    name: "a capability of the writers gates nothing",
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
    name: "a capability that only the description names gates too",
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
    expected: ["breaking: AskRequest.it(image) is gone; clients must not send it"],
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
      "breaking: AnswerResponse.swaps(c) is gone; agents must not send it",
      "breaking: AskRequest.shrinks(c) is gone; clients must not send it",
      "breaking: AnswerResponse.swaps(d) is a new variant; clients have to accept it",
      "breaking: AskRequest.grows(c) is a new variant; agents have to accept it",
    ],
  },
  {
    name: "a variant under another tag: the old one breaks writers, the new one readers",
    before: asked({ oneOf: [variant("text", "Text"), variant("none")] }, payload),
    after: asked({ oneOf: [variant("plain", "Text"), variant("none")] }, payload),
    expected: [
      "breaking: AskRequest.it(text) is gone (`plain` carries the same now); clients must not send it",
      "breaking: AskRequest.it(plain) is a new variant; agents have to accept it",
    ],
  },
  {
    name: "a variant removed from an open union stays valid, unknown",
    before: answered({ anyOf: [variant("a"), variant("b"), catchAll(["a", "b"])] }),
    after: answered({ anyOf: [variant("a"), catchAll(["a"])] }),
    expected: [
      "breaking: AnswerResponse.it(b) is gone; it stays valid as an unknown variant; clients need not understand it any more",
    ],
  },
  {
    name: "tags that the catch-all frees, or takes, without a variant",
    before: schema({
      Answer: {
        properties: {
          a: { anyOf: [variant("x"), catchAll(["x", "y"])] },
          b: { anyOf: [variant("x"), catchAll(["x"])] },
        },
      },
    }),
    after: schema({
      Answer: {
        properties: {
          a: { anyOf: [variant("x"), catchAll(["x"])] },
          b: { anyOf: [variant("x"), catchAll(["x", "y"])] },
        },
      },
    }),
    expected: [
      "breaking: AnswerResponse.b reserves `y`: such values are no longer valid as unknown variants; agents must not send them",
      "additive: AnswerResponse.a no longer reserves `y`: such values count as unknown variants now, whatever they hold",
    ],
  },
  {
    name: "another tag member is breaking for both ends",
    before: asked({ oneOf: [variant("a", "Text"), variant("b")] }, payload),
    after: asked({ oneOf: [variant("a", "Text", "kind"), variant("b", undefined, "kind")] }, payload),
    expected: ["breaking: AskRequest.it is distinguished by `kind`, was `type`; agents and clients have to follow"],
  },
  {
    name: "a closed union is opened: readers have to expect anything",
    before: answered({ oneOf: [variant("a"), variant("b")] }),
    after: answered({ anyOf: [variant("a"), variant("b"), catchAll(["a", "b"])] }),
    expected: ["breaking: AnswerResponse.it accepts unknown variants now; clients have to expect them"],
  },
  {
    name: "an open union is closed: writers may no longer invent",
    before: answered({ anyOf: [variant("a"), variant("b"), catchAll(["a", "b"])] }),
    after: answered({ oneOf: [variant("a"), variant("b")] }),
    expected: ["breaking: AnswerResponse.it accepts known variants only now; agents must not send others"],
  },
  {
    name: "an object becomes a tagged union: the tag is a new required member",
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
          { title: "one", type: "object", properties: { a: text } },
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
          { title: "one", type: "object", properties: { a: { type: "integer" } } },
        ],
      },
      { Two: { type: "object", properties: { b: text }, required: ["b"] } },
    ),
    expected: [
      "breaking: AskRequest.it(one).a is integer, was string; agents and clients have to follow",
      "decoder behaviour: AskRequest.it decodes a value that fits both as `Two` now, before `one`; it was the other way round",
    ],
  },
  {
    name: "another type in a union breaks readers, a type less breaks writers",
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
      Scope: { type: "object", anyOf: [ref("A"), ref("B")] },
      A: { type: "object", properties: { a: text }, required: ["a"] },
      B: { type: "object", properties: { b: text }, required: ["b"] },
    }),
    after: asked(ref("Scope"), {
      Scope: { type: "object", oneOf: [ref("A"), ref("B")] },
      A: { type: "object", properties: { a: text }, required: ["a"] },
      B: { type: "object", properties: { b: text }, required: ["b"] },
    }),
    expected: [
      "breaking: Scope has to fit exactly one of its forms now (`oneOf`, was `anyOf`); clients have to follow",
    ],
  },
  {
    name: "a new value of a closed enum breaks readers, of an open one nobody",
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
      "additive: AnswerResponse.open may be `c` now; the set was open already",
    ],
  },
  {
    name: "a new value where old readers fall back to a default is additive",
    before: answered({ oneOf: constants("a", "b"), "x-deserialize-default-on-error": true }),
    after: answered({ oneOf: constants("a", "b", "c"), "x-deserialize-default-on-error": true }),
    expected: ["additive: AnswerResponse.it may be `c` now — readers of the old schema replace or skip it here"],
  },
  {
    name: "a removed value is breaking, in an open enum too",
    before: schema({
      Ask: { properties: { closed: { enum: ["a", "b"] }, open: { anyOf: [...constants(1, 2), { type: "integer" }] } } },
    }),
    after: schema({
      Ask: { properties: { closed: { enum: ["a"] }, open: { anyOf: [...constants(1), { type: "integer" }] } } },
    }),
    expected: [
      "breaking: AskRequest.closed no longer knows `b`; clients must not send it",
      "breaking: AskRequest.open no longer knows `2`, which stays valid as an unknown value; agents need not understand it any more",
    ],
  },
  {
    name: "an enum is opened or closed",
    before: schema({
      Ask: { properties: { opens: { enum: ["a", "b"] }, closes: { anyOf: [...constants("a"), text] } } },
    }),
    after: schema({
      Ask: { properties: { opens: { anyOf: [...constants("a", "b"), text] }, closes: { enum: ["a"] } } },
    }),
    expected: [
      "breaking: AskRequest.closes may only be `a` now; clients must not send anything else",
      "breaking: AskRequest.opens may be any string now, not only `a` and `b`; agents have to accept unknown values",
    ],
  },
  {
    name: "a string whose usual values get names",
    before: asked(text),
    after: asked({ anyOf: [...constants("a", "b"), { title: "other", type: "string" }] }),
    expected: [
      "additive: AskRequest.it names the values `a` and `b`; any other stays valid",
      "annotation: AskRequest.it(other) has a title now",
    ],
  },
  {
    name: "alternatives without a tag are tried in another order: what fits both is decoded as another one",
    before: asked({ anyOf: [ref("One"), ref("Two")] }, overlapping),
    after: asked({ anyOf: [ref("Two"), ref("One")] }, overlapping),
    expected: [
      "decoder behaviour: AskRequest.it decodes a value that fits both as `Two` now, before `One`; it was the other way round",
    ],
  },
  {
    name: "the order of variants that a tag tells apart says nothing",
    before: asked({ anyOf: [variant("a"), variant("b")] }),
    after: asked({ anyOf: [variant("b"), variant("a")] }),
    expected: [],
  },
  {
    name: "two capabilities with one last word: the one whose owner is meant is named",
    before: gatedBy({ anyOf: [variant("other")] }, "TerminalEvent"),
    after: gatedBy({ anyOf: [variant("other"), variant("closed")] }, "TerminalEvent"),
    expected: [
      "additive: TerminalEvent(closed) is a new variant — gated by the capability `TerminalCapabilities.closed`; only code that switches exhaustively over the closed union needs a new case",
    ],
  },
  {
    name: "two capabilities with one last word, and nothing tells which is meant: none is named",
    before: gatedBy({ anyOf: [variant("other")] }, "Event"),
    after: gatedBy({ anyOf: [variant("other"), variant("closed")] }, "Event"),
    expected: ["breaking: Event(closed) is a new variant; agents have to accept it"],
  },
  {
    name: "a choice among options that are gated breaks nobody: it was offered first",
    before: options([variant("select")]),
    after: options([variant("select"), variant("boolean")]),
    expected: [
      "additive: Option(boolean) is a new variant — gated by the capability `ClientCapabilities.boolean`; only code that switches exhaustively over the closed union needs a new case",
      "additive: SetOptionRequest(boolean) is a new variant — chosen only from what was offered as `Option(boolean)`, which is gated by the capability `ClientCapabilities.boolean`; only code that switches exhaustively over the closed union needs a new case",
    ],
  },
];

/** A client that advertises two capabilities called `closed` to the agent, and sends the agent events. */
function gatedBy(it: JsonObject, name: string): JsonObject {
  return schema({
    Answer: {
      properties: { session: ref("SessionCapabilities"), terminal: ref("TerminalCapabilities") },
    },
    SessionCapabilities: { type: "object", properties: { closed: { type: "boolean" } } },
    TerminalCapabilities: { type: "object", properties: { closed: { type: "boolean" } } },
    Ask: { properties: { event: ref(name) } },
    [name]: it,
  });
}

/** An agent that offers options to a client whose capabilities it was told, and takes its choice. */
function options(variants: readonly JsonObject[]): JsonObject {
  const set = { "x-method": "option/set", "x-side": "agent" };
  return schema({
    Ask: { properties: { capabilities: ref("ClientCapabilities") } },
    ClientCapabilities: { type: "object", properties: { boolean: { type: "boolean" } } },
    Answer: { properties: { options: { type: "array", items: ref("Option") } } },
    Option: { anyOf: variants },
    SetOptionRequest: { anyOf: variants, ...set },
  });
}
