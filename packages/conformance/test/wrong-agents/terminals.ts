import { changes, isCall, type Mutant, type WrongAgent } from "../mutations.js";
import type { Message } from "../right-agent.js";

/** Agents that break the rules of this area. */
export const terminalsWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    fails: "terminals/released",
    areas: ["terminals/released"],
    also: ["terminals/released-after-cancel"],
    mutation: { write: (message) => (message.method === "terminal/release" ? [] : undefined) },
  },
  {
    fails: "terminals/released-after-cancel",
    mutation: {
      write: (message, agent) =>
        message.method === "terminal/release" && (agent as Message).cancelled ? [] : undefined,
      receive: (message, agent) => (
        message.method === "session/cancel" && ((agent as Message).cancelled = true), false
      ),
    },
  },
  { fails: "terminals/refused", mutation: { receive: (message) => message.error?.message === "No more terminals" } },
  {
    fails: "watch/schema/terminals",
    areas: ["terminals/released"],
    mutation: changes(isCall("terminal/create"), ({ params }) => (params.args = "x")),
  },
];
