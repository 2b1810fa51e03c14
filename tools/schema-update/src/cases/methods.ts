import { type Case, ref } from "./case.js";

const text = { type: "string" };
const open = { "x-method": "session/open", "x-side": "agent" };
const cancel = { "x-method": "session/cancel", "x-side": "agent" };

/** Changes of the method table and the envelopes. */
export const methods: readonly Case[] = [
  {
    name: "a new method is additive, with the definitions that only it uses",
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
    name: "a removed method is breaking, and its definitions are not reported separately",
    before: {
      $defs: {
        OpenRequest: { type: "object", ...open },
        CancelNotification: { type: "object", properties: { id: ref("Id") }, required: ["id"], ...cancel },
        Id: text,
      },
    },
    after: { $defs: { OpenRequest: { type: "object", ...open } } },
    expected: ["breaking: session/cancel was removed; clients must not send it"],
  },
  {
    name: "a renamed method is reported as removed and added",
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
      "breaking: session/open was removed; clients probably have to call `session/create` instead, because its params are similar",
      "additive: session/create is new",
    ],
  },
  {
    name: "a method that the other side handles now is breaking",
    before: { $defs: { OpenRequest: { type: "object", ...open } } },
    after: { $defs: { OpenRequest: { type: "object", ...open, "x-side": "client" } } },
    expected: ["breaking: session/open is handled by the client now, was by the agent"],
  },
  {
    name: "a request that becomes a notification is breaking",
    before: { $defs: { CancelRequest: { type: "object", ...cancel }, CancelResponse: { type: "object", ...cancel } } },
    after: { $defs: { CancelNotification: { type: "object", ...cancel } } },
    expected: ["breaking: session/cancel is a notification now, was a request"],
  },
  {
    name: "splitting a method of `both` sides into one method for each side is not a change",
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
    name: "ids and errors are compared in any nesting of the envelopes",
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
    name: "another form of an envelope is not a change; batches are a change",
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
    name: "a method that only an envelope lists counts as a method of the responding side",
    before: { $defs: { OpenRequest: { type: "object", ...open }, ClientRequest: listed("OpenRequest") } },
    after: {
      $defs: {
        OpenRequest: { type: "object", ...open },
        ForkRequest: { type: "object" },
        ClientRequest: listed("OpenRequest", "ForkRequest"),
      },
    },
    expected: ["additive: ForkRequest is new; the file does not contain its method name"],
  },
  {
    name: "adding `x-method` does not make a method new, even with another definition name",
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
    name: "sides follow from the envelopes if nothing else determines them",
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
    name: "changing a result from `null` to an object breaks both sides",
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
    name: "adding params is additive, unless a member is required",
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
    name: "methods and members with names that every JavaScript object inherits",
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

/** Creates an envelope that lists payloads. */
function listed(...names: readonly string[]): object {
  return { anyOf: names.map((name) => ({ title: name, ...ref(name) })), "x-docs-ignore": true };
}
