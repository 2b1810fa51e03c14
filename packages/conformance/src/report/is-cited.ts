import type { RequirementReport } from "./report.js";

/**
 * Returns `true` for a flaky rule, and for a failed rule that at least one finding cites. The findings about a failed rule can all cite
 * another rule that repeats it.
 */
export function isCited(rule: RequirementReport | undefined): boolean {
  if (rule?.status === "flaky") return true;
  return rule?.status === "failed" && rule.findings?.some(({ requirement }) => requirement === rule.id) === true;
}
