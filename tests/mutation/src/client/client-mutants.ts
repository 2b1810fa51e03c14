import type { Mutant } from "../wire/mutation.js";
import { connectionMutants } from "./connection-mutants.js";
import { sessionMutants } from "./session-mutants.js";
import { turnMutants } from "./turn-mutants.js";

/** Every mutant of a client. */
export const clientMutants: readonly Mutant[] = [...connectionMutants, ...sessionMutants, ...turnMutants];
