import { Failure, Inconclusive, Skip } from "../verdict.js";
import type { Reporting } from "./run-options.js";

/** Reports to nobody, for conversations that only learn what a peer does: findings are dropped or thrown. */
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
