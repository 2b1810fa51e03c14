import { changes, failing, isCall, type Mutant, type WrongAgent } from "../mutations.js";
import type { Message } from "../right-agent.js";

/** Agents that break the rules of this area. */
export const terminalsWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "terminals/released-after-cancel": {
      write: (message, agent) =>
        message.method === "terminal/release" && (agent as Message).cancelled ? [] : undefined,
      receive: (message, agent) => (
        message.method === "session/cancel" && ((agent as Message).cancelled = true), false
      ),
    },
    "terminals/refused": { receive: (message) => message.error?.message === "No more terminals" },
  }),
  {
    fails: "terminals/released",
    areas: ["terminals/released"],
    also: ["terminals/released-after-cancel"],
    mutation: { write: (message) => (message.method === "terminal/release" ? [] : undefined) },
  },
  {
    fails: "watch/schema/terminals",
    areas: ["terminals/released"],
    mutation: changes(isCall("terminal/create"), ({ params }) => (params.args = "x")),
  },
];
