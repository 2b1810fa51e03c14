import type { ClientCheck } from "../../client/checks.js";
import { call, change, survivesUpdates } from "../../client/survives-updates.js";

/** The checks of clients: tool calls. */
export const toolCallsClientChecks: readonly ClientCheck[] = [
  survivesUpdates(
    "updates/unknown-values",
    "The client reads unknown values of enumerations as their defaults",
    ["TOOL-03", "TOOL-04", "PLAN-08"],
    "unknown kinds, states and priorities",
    [
      call("t1", { kind: "levitate", status: "dreaming" }),
      change("t1", { status: "cancelled" }),
      {
        sessionUpdate: "plan",
        entries: [
          { content: "A step", priority: "urgent", status: "someday" },
          { content: "Another", priority: "low", status: "completed" },
        ],
      },
    ],
  ),
  survivesUpdates(
    "updates/tool-call-upserts",
    "The client accepts an update of an unknown tool call, and a second tool_call with the same id",
    ["TOOL-18"],
    "an update of an unknown tool call, and a tool_call that is sent twice",
    [change("not-announced", { status: "completed" }), call("t1"), call("t1", { title: "Announced again" })],
  ),
];
