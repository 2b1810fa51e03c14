import { changes, isResult, type Mutant, responds, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const authenticationWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    fails: "initialize/login-methods",
    mutation: changes(isResult("authMethods"), ({ result }) => result.authMethods.push(result.authMethods[0])),
  },
  { fails: "capabilities/login", also: ["watch/schema/login"], mutation: responds("authenticate", { result: null }) },
  { fails: "capabilities/logout", mutation: responds("logout", { result: {} }) },
  {
    fails: "watch/schema/login",
    areas: ["initialize/names"],
    mutation: responds("authenticate", { result: [] }),
    also: [],
  },
];
