import { defineFeatureRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";

/** The rules for `usage_update`. */
export const usageRules: readonly Requirement[] = defineFeatureRules("usage", {
  "USAGE-01 agent MAY docs": "The agent may report the usage of the context and the cost at any time.",
  "USAGE-02 agent MUST docs, schema": {
    rule: "The agent sends `used` and `size` with every `usage_update`, as unsigned 64-bit numbers of tokens that are not null.",
    spec: "schema UsageUpdate/required",
    remedy: "Send used and size as integers with every usage_update.",
  },
  "USAGE-03 agent FACT rfd":
    "If there is no meaningful size of the context window, the agent does not send the update. `size` cannot be null.",
  "USAGE-04 agent MUST docs, schema": {
    rule: "`cost` is optional. If the agent sends it, it has `amount` (a number, cumulative for the session) and `currency`.",
    spec: "schema Cost/required",
    remedy: "Send the cost of the whole session so far, as amount and currency.",
  },
  "USAGE-05 both FACT docs, schema":
    "`currency` is an ISO 4217 code. The schema of Nov 2026 also allows another unit, for example `credits`.",
  "USAGE-06 agent FACT rfd":
    "If the effective size of the context window changes, the agent sends a new update. `used` counts everything in the context, including cached tokens.",
  "USAGE-07 agent SHOULD rfd":
    "The agent sends an update with the final data after a prompt has completed and, if it has the data, on `session/load` and `session/resume`.",
});
