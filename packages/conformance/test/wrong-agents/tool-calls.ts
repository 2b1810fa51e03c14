import { adds, exitsAt, failing, isUpdate, type Mutant, said, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const toolCallsWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "tour/tools": exitsAt("/tools"),
    "watch/schema/tool-calls": update(
      "tool_call_update",
      (call) => call.content && (call.content = [{ type: "text", text: "bare" }]),
    ),
    "watch/tool-call-names": update("tool_call_update", (call) => call.name && (call.name = "other")),
    "watch/tool-call-paths": update("tool_call", (call) => (call.locations = [{ path: "relative" }])),
    "watch/terminals-in-tool-calls": update(
      "tool_call",
      (call) => (call.content = [{ type: "terminal", terminalId: "never created" }]),
    ),
  }),
  {
    rule: "TOOL-02",
    does: "uses the id of an ended tool call for another one",
    shows: ["tour/tools", "watch/tool-call-ids"],
    mutation: adds(
      (message) => isUpdate("tool_call_update")(message) && message.params.update.name === "search",
      (message) => [
        said(message, { sessionUpdate: "tool_call", toolCallId: message.params.update.toolCallId, title: "Another" }),
      ],
    ),
  },
  {
    rule: "TOOL-12",
    does: "shows a diff with a relative path",
    shows: ["tour/tools", "watch/tool-call-paths"],
    mutation: update("tool_call", (call) => (call.content = [{ type: "diff", path: "relative", newText: "" }])),
  },
  {
    fails: "watch/tool-call-ids",
    areas: ["capabilities/client-with-empty"],
    mutation: adds(isUpdate("agent_message_chunk"), (message) => [
      said(message, { sessionUpdate: "tool_call", toolCallId: "always", title: "X" }),
    ]),
  },
  {
    fails: "watch/tool-calls-end",
    mutation: update("tool_call_update", (call) => delete call.status),
    areas: ["terminals/released"],
  },
];
