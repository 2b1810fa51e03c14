import { changes, isResult, type Mutant, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const sessionListWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    rule: "LIST-05",
    does: "lists sessions in an object",
    shows: ["session/list"],
    mutation: changes(isResult("sessions"), ({ result }) => (result.sessions = {})),
  },
  {
    fails: "session/list",
    mutation: {
      receive: (message) => (
        message.method === "session/list" && typeof message.params?.cwd === "string" && (message.params = {}), false
      ),
    },
  },
  {
    fails: "session/list-bad-cursor",
    mutation: {
      receive: (message) => (
        message.method === "session/list" && (message.params = { ...message.params, cursor: null }), false
      ),
    },
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
