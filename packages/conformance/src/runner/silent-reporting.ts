import { Failure, Inconclusive, Skip } from "../verdict.js";
import type { Reporting } from "./run-options.js";

/** The reporting methods of conversations that only collect facts about a peer: `note` does nothing, and the others only throw. */
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
