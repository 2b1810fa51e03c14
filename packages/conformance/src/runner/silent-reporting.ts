import { Failure, Inconclusive, Skip } from "../verdict.js";
import type { Reporting } from "./run-options.js";

/** Drops or throws all reports, for conversations that only learn about a peer. */
export const silentReporting: Reporting = {
  note: () => {},
  fail(finding) {
    throw new Failure(finding);
  },
  skip(reason) {
    throw new Skip(reason);
  },
  inconclusive(reason) {
    throw new Inconclusive(reason);
  },
};
