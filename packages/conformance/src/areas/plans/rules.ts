import { defineFeatureRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { notVisible } from "../../requirements/untested.js";

/** The rules for the plan of an agent. */
export const plansRules: readonly Requirement[] = defineFeatureRules("plans", {
  "PLAN-01 agent SHOULD docs": "The agent reports a plan that the model made with a `plan` update.",
  "PLAN-02 agent MUST schema": {
    rule: "Each entry of a plan has `content`, `priority` (`high|medium|low`) and `status` (`pending|in_progress|completed`). All three are required.",
    spec: "schema PlanEntry/required",
    remedy: "Send content, priority and status with every entry of a plan.",
  },
  "PLAN-03 agent SHOULD docs": "The agent reports progress by further `plan` updates of the same shape.",
  "PLAN-04 agent MUST docs": {
    rule: "The agent lists **all** entries with their current status in each update of a plan.",
    spec: "page agent-plan#updating-plans: The Agent MUST send a complete list of all plan entries in each update and their current status.",
    remedy: "Send the whole plan in every update, with the entries that did not change and those that are completed.",
  },
  "PLAN-05 client MUST docs": {
    rule: "The client replaces the whole previous plan.",
    feature: null,
    spec: "page agent-plan#updating-plans: The Client MUST replace the current plan completely.",
    untested: { client: notVisible },
  },
  "PLAN-06 agent MAY docs": "The agent may add, remove and change entries over time.",
  "PLAN-07 both FACT schema": {
    rule: "A session has one plan. Stable version 1 has no id for plans.",
    feature: null,
    untested: { client: notVisible },
  },
  "PLAN-08 client FACT schema": {
    rule: "An entry with an unknown priority or status is invalid. Lenient decoders skip it and keep the other entries.",
    feature: null,
  },
});
