import type { Mutant, WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const additionalDirectoriesWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    fails: "session/additional-directories",
    mutation: {
      receive: (message) => (
        Array.isArray(message.params?.additionalDirectories) &&
          message.params.additionalDirectories[0] === "relative" &&
          (message.params.additionalDirectories = []),
        false
      ),
    },
  },
];
