import type { ClientCheck } from "../../client/checks.js";
import { call, chunk, survivesUpdates, text } from "../../client/survives-updates.js";

/** The checks of clients: decoding. */
export const decodingClientChecks: readonly ClientCheck[] = [
  survivesUpdates("updates/malformed-optional-members", ["WIRE-01", "CONT-06"], {
    title: "The client reads malformed optional members as absent",
    after: "malformed optional members",
    updates: [
      chunk({ ...text("Hello"), annotations: 7 }),
      chunk({ ...text("Hello"), annotations: { audience: ["user", "robot"], priority: "high", lastModified: 5 } }),
      { sessionUpdate: "session_info_update", title: {}, updatedAt: 5 },
      call("t1", { locations: 5, content: "none" }),
    ],
  }),
  survivesUpdates("updates/malformed-items", ["WIRE-02", "TOOL-19", "PLAN-08"], {
    title: "The client ignores malformed items of a list and keeps the others",
    after: "lists with malformed items",
    updates: [
      {
        sessionUpdate: "plan",
        entries: [
          { content: "A step", priority: "low", status: "pending" },
          5,
          { content: "Another", priority: "low", status: "pending" },
        ],
      },
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "ok", description: "Fine" }, { name: 5 }, null],
      },
      call("t1", {
        content: [{ type: "content", content: text("fine") }, { type: "text", text: "bare" }, 5],
        locations: [{ path: "/a" }, { line: 1 }],
      }),
    ],
  }),
];
