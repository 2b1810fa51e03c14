import type { JsonObject } from "../../src/source/schema-file.js";
import { type Case, document, ref } from "./case.js";

const text = { type: "string" };
const open = { type: "object", "x-method": "session/open", "x-side": "agent" };
const cancel = { "x-method": "session/cancel", "x-side": "agent" };
const opened = { OpenRequest: open, OpenResponse: open };
const cancelled = {
  ...opened,
  CancelNotification: { type: "object", properties: { id: ref("Id") }, required: ["id"], ...cancel },
  Id: text,
};

/** Changes of the method table. */
export const methods: readonly Case[] = [
  {
    name: "a new method is additive, with the definitions that only it uses",
    before: document(opened),
    after: document(cancelled),
    expected: ["additive: session/cancel is new"],
  },
  {
    name: "a removed method is breaking, and its definitions are not reported separately",
    before: document(cancelled),
    after: document(opened),
    expected: ["breaking: session/cancel was removed; clients must not send it"],
  },
  {
    name: "a renamed method is reported as removed and added",
    before: document(withParams("Open", "session/open")),
    after: document(withParams("Create", "session/create")),
    expected: [
      "breaking: session/open was removed; clients probably have to call `session/create` instead, because its params are similar",
      "additive: session/create is new",
    ],
  },
  {
    name: "a method that the other side handles now is breaking",
    before: document(opened),
    after: document({
      OpenRequest: { ...open, "x-side": "client" },
      OpenResponse: { ...open, "x-side": "client" },
    }),
    expected: ["breaking: session/open is handled by the client now, was by the agent"],
  },
  {
    name: "a request that becomes a notification is breaking",
    before: document({ CancelRequest: { type: "object", ...cancel }, CancelResponse: { type: "object", ...cancel } }),
    after: document({ CancelNotification: { type: "object", ...cancel } }),
    expected: ["breaking: session/cancel is a notification now, was a request"],
  },
  {
    name: "splitting a method of either side into one method for each side is not a difference",
    before: document({ MessageNotification: { type: "object", "x-method": "m", "x-side": "protocol" } }),
    after: document({
      MessageNotification: { type: "object", "x-method": "m", "x-side": "client" },
      AgentMessageNotification: { type: "object", "x-method": "m", "x-side": "agent" },
    }),
    expected: [],
  },
  {
    name: "the ids of errors are compared",
    before: withErrors(ref("RequestId")),
    after: withErrors({ anyOf: [ref("RequestId"), { type: "null" }] }),
    expected: ["breaking: AgentResponse(Error).id may be `null` now; clients have to accept it"],
  },
  {
    name: "methods and members with names that every JavaScript object inherits",
    before: document(opened),
    after: document({
      OpenRequest: JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"}},"x-method":"session/open","x-side":"agent"}',
      ) as object,
      OpenResponse: open,
      toStringNotification: { type: "object", "x-method": "constructor", "x-side": "agent" },
    }),
    expected: ["additive: constructor is new", "additive: OpenRequest.__proto__ is new and optional"],
  },
];

function withParams(stem: string, name: string): JsonObject {
  const method = { type: "object", "x-method": name, "x-side": "agent" };
  return {
    [`${stem}Request`]: { ...method, properties: { cwd: text, id: text } },
    [`${stem}Response`]: method,
  };
}

function withErrors(id: JsonObject): JsonObject {
  const { $defs, ...rest } = document({ ...opened, RequestId: { type: "integer", format: "int64" } });
  const { AgentResponse, ...definitions } = $defs as Record<string, { anyOf: JsonObject[] }>;
  const error = { type: "object", properties: { id, error: {} }, required: ["id", "error"] };
  return {
    ...rest,
    $defs: { ...definitions, AgentResponse: { ...AgentResponse, anyOf: [...(AgentResponse?.anyOf ?? []), error] } },
  };
}
