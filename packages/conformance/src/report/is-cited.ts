import type { RequirementReport } from "./report.js";

/** Whether a rule is broken, and a finding cites it rather than another one that says the same. */
export function isCited(rule: RequirementReport | undefined): boolean {
  if (rule?.status === "flaky") return true;
  return rule?.status === "failed" && rule.findings?.some(({ requirement }) => requirement === rule.id) === true;
}
