import { changes, type Mutant, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const errorsWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    fails: "watch/errors",
    areas: ["prompt/failure"],
    also: ["prompt/failure"],
    mutation: changes(
      (message) => message.error?.message === "It failed",
      ({ error }) => (error.code = "fail"),
    ),
  },
];
