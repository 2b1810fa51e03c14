import type { Mutant } from "../wire/mutation.js";
import { connectionMutants } from "./connection-mutants.js";
import { gateMutants } from "./gate-mutants.js";
import { serviceMutants } from "./service-mutants.js";
import { sessionMutants } from "./session-mutants.js";
import { turnMutants } from "./turn-mutants.js";

/** Every mutant of an agent. */
export const agentMutants: readonly Mutant[] = [
  ...connectionMutants,
  ...gateMutants,
  ...sessionMutants,
  ...turnMutants,
  ...serviceMutants,
];
