import type { RequirementReport } from "./report.js";

/** Returns whether a rule is broken and a finding cites the rule itself, and not only another rule that repeats it. */
export function isCited(rule: RequirementReport | undefined): boolean {
  if (rule?.status === "flaky") return true;
  return rule?.status === "failed" && rule.findings?.some(({ requirement }) => requirement === rule.id) === true;
}
