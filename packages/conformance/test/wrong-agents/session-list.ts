import { changes, failing, isResult, type Mutant, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const sessionListWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "session/list": {
      receive: (message) => (
        message.method === "session/list" && typeof message.params?.cwd === "string" && (message.params = {}), false
      ),
    },
    "session/list-bad-cursor": {
      receive: (message) => (
        message.method === "session/list" && (message.params = { ...message.params, cursor: null }), false
      ),
    },
  }),
  {
    rule: "LIST-05",
    does: "lists sessions in an object",
    shows: ["session/list"],
    mutation: changes(isResult("sessions"), ({ result }) => (result.sessions = {})),
  },
  {
    fails: "watch/schema/session-list",
    areas: ["capabilities/advertised"],
    mutation: changes(isResult("sessions"), ({ result }) => result.sessions.push({ sessionId: 1, cwd: "/x" })),
  },
  {
    fails: "watch/session-list-entries",
    areas: ["capabilities/advertised"],
    mutation: changes(isResult("sessions"), ({ result }) => result.sessions.push({ sessionId: "s", cwd: "relative" })),
  },
];
