import { exitsAt, type Mutant, said, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const noticesWrongAgents: readonly (WrongAgent | Mutant)[] = [
  { fails: "tour/notice", mutation: exitsAt("/notice") },
  { fails: "watch/schema/notices", mutation: update("notice", (notice) => (notice.title = "")) },
  {
    fails: "watch/no-notices-in-replay",
    areas: ["session/load"],
    mutation: {
      receive: (message, agent) => (
        message.method === "session/load" &&
          agent.store.has(message.params.sessionId) &&
          agent.send(said(message, { sessionUpdate: "notice", severity: "info", title: "old" })),
        false
      ),
    },
  },
];
