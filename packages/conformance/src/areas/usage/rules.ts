import { defineFeatureRules, fact, may, must, should } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";

/** The rules for `usage_update`. */
export const usageRules: readonly Requirement[] = defineFeatureRules("usage", {
  "USAGE-01": may("agent", ["docs"], {
    rule: "The agent may report the usage of the context and the cost at any time.",
  }),
  "USAGE-02": must("agent", ["docs", "schema"], {
    rule: "The agent sends `used` and `size` with every `usage_update`, as unsigned 64-bit numbers of tokens that are not null.",
    spec: "schema UsageUpdate/required",
    remedy: "Send used and size as integers with every usage_update.",
  }),
  "USAGE-03": fact("agent", ["rfd"], {
    rule: "If there is no meaningful size of the context window, the agent does not send the update. `size` cannot be null.",
  }),
  "USAGE-04": must("agent", ["docs", "schema"], {
    rule: "`cost` is optional. If the agent sends it, it has `amount` (a number, cumulative for the session) and `currency`.",
    spec: "schema Cost/required",
    remedy: "Send the cost of the whole session so far, as amount and currency.",
  }),
  "USAGE-05": fact("both", ["docs", "schema"], {
    rule: "`currency` is an ISO 4217 code. The schema of Nov 2026 also allows another unit, for example `credits`.",
  }),
  "USAGE-06": fact("agent", ["rfd"], {
    rule: "If the effective size of the context window changes, the agent sends a new update. `used` counts everything in the context, including cached tokens.",
  }),
  "USAGE-07": should("agent", ["rfd"], {
    rule: "The agent sends an update with the final data after a prompt has completed and, if it has the data, on `session/load` and `session/resume`.",
  }),
});
