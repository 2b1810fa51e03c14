import { changes, failing, isResult, type Mutant, responds, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const authenticationWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "initialize/login-methods": changes(isResult("authMethods"), ({ result }) =>
      result.authMethods.push(result.authMethods[0]),
    ),
    "capabilities/logout": responds("logout", { result: {} }),
  }),
  { fails: "capabilities/login", also: ["watch/schema/login"], mutation: responds("authenticate", { result: null }) },
  {
    fails: "watch/schema/login",
    areas: ["initialize/names"],
    mutation: responds("authenticate", { result: [] }),
    also: [],
  },
];
