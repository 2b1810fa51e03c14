import { type Case, ref } from "./case.js";

const text = { type: "string" };
const open = { "x-method": "session/open", "x-side": "agent" };
const cancel = { "x-method": "session/cancel", "x-side": "agent" };

/** The method table and the envelopes. */
export const methods: readonly Case[] = [
  {
    name: "a new method is additive, with all that only it needs",
    before: { $defs: { OpenRequest: { type: "object", ...open } } },
    after: {
      $defs: {
        OpenRequest: { type: "object", ...open },
        CancelNotification: { type: "object", properties: { id: ref("Id") }, required: ["id"], ...cancel },
        Id: text,
      },
    },
    expected: ["additive: session/cancel is new"],
  },
  {
    name: "a removed method is breaking, and nothing else is said about its definitions",
    before: {
      $defs: {
        OpenRequest: { type: "object", ...open },
        CancelNotification: { type: "object", properties: { id: ref("Id") }, required: ["id"], ...cancel },
        Id: text,
      },
    },
    after: { $defs: { OpenRequest: { type: "object", ...open } } },
    expected: ["breaking: session/cancel is gone; clients must not send it"],
  },
  {
    name: "a method under another name",
    before: { $defs: { OpenRequest: { type: "object", properties: { cwd: text, id: text }, ...open } } },
    after: {
      $defs: {
        CreateRequest: {
          type: "object",
          properties: { cwd: text, id: text },
          "x-method": "session/create",
          "x-side": "agent",
        },
      },
    },
    expected: [
      "breaking: session/open is gone; clients have to call `session/create` instead, by the looks of its params",
      "additive: session/create is new",
    ],
  },
  {
    name: "another side has to handle it",
    before: { $defs: { OpenRequest: { type: "object", ...open } } },
    after: { $defs: { OpenRequest: { type: "object", ...open, "x-side": "client" } } },
    expected: ["breaking: session/open is handled by the client now, was by the agent"],
  },
  {
    name: "a request becomes a notification",
    before: { $defs: { CancelRequest: { type: "object", ...cancel }, CancelResponse: { type: "object", ...cancel } } },
    after: { $defs: { CancelNotification: { type: "object", ...cancel } } },
    expected: ["breaking: session/cancel is a notification now, was a request"],
  },
  {
    name: "`both` sides taken apart stay what they were",
    before: { $defs: { MessageNotification: { type: "object", "x-method": "m", "x-side": "both" } } },
    after: {
      $defs: {
        MessageNotification: { type: "object", "x-method": "m", "x-side": "client" },
        AgentMessageNotification: { type: "object", "x-method": "m", "x-side": "agent" },
      },
    },
    expected: [],
  },
  {
    name: "ids and errors belong to the envelopes, however they nest",
    before: {
      $defs: {
        OpenRequest: { type: "object", ...open },
        AgentResponse: {
          anyOf: [
            { type: "object", properties: { id: ref("RequestId"), result: {} }, required: ["id", "result"] },
            { type: "object", properties: { id: ref("RequestId"), error: {} }, required: ["id", "error"] },
          ],
          "x-docs-ignore": true,
        },
        RequestId: { anyOf: [{ type: "null" }, { type: "integer", format: "int64" }, text] },
      },
    },
    after: {
      $defs: {
        OpenRequest: { type: "object", ...open },
        AgentResponse: {
          type: "object",
          properties: { id: ref("RequestId") },
          oneOf: [
            { type: "object", properties: { result: {} }, required: ["result"] },
            {
              type: "object",
              properties: { id: { anyOf: [ref("RequestId"), { type: "null" }] }, error: {} },
              required: ["error"],
            },
          ],
          "x-docs-ignore": true,
        },
        RequestId: { anyOf: [{ type: "integer", format: "int64" }, text] },
      },
    },
    expected: [
      "breaking: RequestId may no longer be `null`; agents must not send it",
      "breaking: AgentResponse(Error).id may be `null` now; clients have to accept it",
    ],
  },
  {
    name: "an envelope in another form is no change; batches are",
    before: {
      anyOf: [ref("AgentRequest"), ref("AgentBatchCall")],
      $defs: {
        OpenRequest: { type: "object", ...open },
        AgentRequest: {
          type: "object",
          properties: { method: text, params: ref("OpenRequest") },
          "x-docs-ignore": true,
        },
        AgentBatchCall: { type: "array", items: ref("AgentRequest"), "x-docs-ignore": true },
      },
    },
    after: {
      anyOf: [ref("AgentRequest")],
      $defs: {
        OpenRequest: { type: "object", ...open },
        AgentRequest: { anyOf: [ref("OpenRequest")], "x-docs-ignore": true },
      },
    },
    expected: [
      "breaking: (messages from the agent) may no longer come as a JSON-RPC batch; agents have to send them one by one",
    ],
  },
  {
    name: "a method that only an envelope lists is one, on the side that answers the envelope",
    before: { $defs: { OpenRequest: { type: "object", ...open }, ClientRequest: listed("OpenRequest") } },
    after: {
      $defs: {
        OpenRequest: { type: "object", ...open },
        ForkRequest: { type: "object" },
        ClientRequest: listed("OpenRequest", "ForkRequest"),
      },
    },
    expected: ["additive: ForkRequest is new; the file doesn't say what it is called on the wire"],
  },
  {
    name: "a method that starts to carry `x-method` is no new one, even under another definition",
    before: {
      $defs: {
        AgentRequest: listed("CreateTerminalRequest", "KillTerminalRequest"),
        CreateTerminalRequest: { type: "object" },
        KillTerminalRequest: { type: "object" },
      },
    },
    after: {
      $defs: {
        AgentRequest: listed("CreateTerminalRequest", "KillTerminalCommandRequest"),
        CreateTerminalRequest: { type: "object", "x-method": "terminal/create", "x-side": "client" },
        KillTerminalCommandRequest: { type: "object", "x-method": "terminal/kill", "x-side": "client" },
      },
    },
    expected: [],
  },
  {
    name: "sides follow from the envelopes where nothing else says them",
    before: {
      $defs: {
        ClientRequest: listed("InitializeRequest"),
        InitializeRequest: { type: "object", properties: { a: text } },
      },
    },
    after: {
      $defs: {
        ClientRequest: listed("InitializeRequest"),
        InitializeRequest: { type: "object", properties: { a: text }, required: ["a"] },
      },
    },
    expected: ["breaking: InitializeRequest.a is required now; clients have to send it"],
  },
  {
    name: "`null` as a result becomes an object: both sides have to follow",
    before: {
      $defs: {
        OpenRequest: { type: "object", ...open },
        ClientRequest: listed("OpenRequest"),
        AgentResponse: { anyOf: [{ title: "OpenResponse", type: "null" }], "x-docs-ignore": true },
      },
    },
    after: {
      $defs: {
        OpenRequest: { type: "object", ...open },
        ClientRequest: listed("OpenRequest"),
        AgentResponse: listed("OpenResponse"),
        OpenResponse: { type: "object", ...open },
      },
    },
    expected: ["breaking: session/open has the result `OpenResponse` now, was `null`"],
  },
  {
    name: "params where there were none: additive, unless a member is required",
    before: { $defs: { AResponse: { ...open, type: "object" }, BResponse: { ...cancel, type: "object" } } },
    after: {
      $defs: {
        ARequest: { ...open, type: "object", properties: { a: text } },
        AResponse: { ...open, type: "object" },
        BRequest: { ...cancel, type: "object", properties: { b: text }, required: ["b"] },
        BResponse: { ...cancel, type: "object" },
      },
    },
    expected: [
      "additive: session/open has a params definition now: `ARequest`",
      "breaking: session/cancel has a params definition now: `BRequest`, with required members",
    ],
  },
  {
    name: "methods and members that are called like something every object has",
    before: { $defs: { constructor: { type: "object", ...open } } },
    after: {
      $defs: {
        constructor: JSON.parse(
          '{"type":"object","properties":{"__proto__":{"type":"string"}},"x-method":"session/open","x-side":"agent"}',
        ) as object,
        toString: { type: "object", "x-method": "constructor", "x-side": "agent" },
      },
    },
    expected: ["additive: constructor is new", "additive: constructor.__proto__ is new and optional"],
  },
];

/** An envelope that lists payloads. */
function listed(...names: readonly string[]): object {
  return { anyOf: names.map((name) => ({ title: name, ...ref(name) })), "x-docs-ignore": true };
}
