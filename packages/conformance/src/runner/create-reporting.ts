import { findingOf } from "../finding.js";
import type { ScenarioContext } from "../scenario.js";
import { Failure, type Finding, Inconclusive, Skip } from "../verdict.js";

/** Creates the reporting methods of a run. `add` gets the findings of `note` and `expect`. */
export function createReporting(
  add: (finding: Finding) => void,
  check: (finding: Finding) => Finding = (finding) => finding,
): ScenarioContext {
  const note: ScenarioContext["note"] = (rule, evidence) => add(check(findingOf(rule, evidence)));
  return {
    note,
    fail(rule, evidence) {
      throw new Failure(check(findingOf(rule, evidence)));
    },
    expect(rule, response, matches, sent) {
      if (matches(response)) return;
      note(rule, { explanation: matches.says, ...(typeof sent === "string" ? { sent } : sent), received: response });
    },
    skip(reason) {
      throw new Skip(reason);
    },
    inconclusive(reason) {
      throw new Inconclusive(reason);
    },
  };
}
