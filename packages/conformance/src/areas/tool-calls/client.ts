import type { ClientCheck } from "../../client/checks.js";
import { call, change, survivesUpdates } from "../../client/survives-updates.js";

/** The checks of clients: tool calls. */
export const toolCallsClientChecks: readonly ClientCheck[] = [
  survivesUpdates("updates/unknown-values", ["TOOL-03", "TOOL-04", "PLAN-08"], {
    title: "The client reads unknown values of enumerations as their defaults",
    after: "unknown kinds, states and priorities",
    updates: [
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
  }),
  survivesUpdates("updates/tool-call-upserts", ["TOOL-18"], {
    title: "The client accepts an update of an unknown tool call, and a second tool_call with the same id",
    after: "an update of an unknown tool call, and a tool_call that is sent twice",
    updates: [change("not-announced", { status: "completed" }), call("t1"), call("t1", { title: "Announced again" })],
  }),
];
