import { failed, type Mutant, responds, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const sessionDeleteWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    fails: "session/delete",
    mutation: responds("session/delete", ({ params }) => (params.sessionId.startsWith("0000") ? failed : undefined)),
  },
];
