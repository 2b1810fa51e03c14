import { adds, exitsAt, isUpdate, type Mutant, said, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const toolCallsWrongAgents: readonly (WrongAgent | Mutant)[] = [
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
  { fails: "tour/tools", mutation: exitsAt("/tools") },
  {
    fails: "watch/schema/tool-calls",
    mutation: update("tool_call_update", (call) => call.content && (call.content = [{ type: "text", text: "bare" }])),
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
  {
    fails: "watch/tool-call-names",
    mutation: update("tool_call_update", (call) => call.name && (call.name = "other")),
  },
  {
    fails: "watch/tool-call-paths",
    mutation: update("tool_call", (call) => (call.locations = [{ path: "relative" }])),
  },
  {
    fails: "watch/terminals-in-tool-calls",
    mutation: update("tool_call", (call) => (call.content = [{ type: "terminal", terminalId: "never created" }])),
  },
];
