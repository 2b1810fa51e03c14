import { exitsAt, failing, type Mutant, said, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const noticesWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "tour/notice": exitsAt("/notice"),
    "watch/schema/notices": update("notice", (notice) => (notice.title = "")),
  }),
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
