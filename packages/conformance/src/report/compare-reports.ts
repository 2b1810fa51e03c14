import type { ConformanceReport, RequirementReport } from "./report.js";

/** The differences between two reports, by rule. */
export interface ReportComparison {
  /** Rules that are newly broken. */
  readonly broken: readonly string[];
  /** Rules that were broken before and now pass. One that was not checked again is in `other`. */
  readonly fixed: readonly string[];
  /** Every other change of a rule. */
  readonly other: readonly {
    readonly id: string;
    readonly before: RequirementReport["status"];
    readonly after: RequirementReport["status"];
  }[];
}

/** Compares two reports on the same peer, rule by rule. Ignores rules that only one of the reports contains. */
export function compareReports(before: ConformanceReport, after: ConformanceReport): ReportComparison {
  const rules = new Map(before.requirements.map((rule) => [rule.id, rule]));
  const changes = after.requirements.flatMap((rule) => {
    const old = rules.get(rule.id);
    if (old === undefined || old.status === rule.status || isRestated(old) || isRestated(rule)) return [];
    return [{ id: rule.id, before: old.status, after: rule.status }];
  });
  const broken = changes.filter((each) => each.after === "failed");
  const fixed = changes.filter((each) => each.before === "failed" && each.after === "passed");
  const named = new Set([...broken, ...fixed]);
  return {
    broken: broken.map(({ id }) => id),
    fixed: fixed.map(({ id }) => id),
    other: changes.filter((each) => !named.has(each)),
  };
}

/** Returns whether all findings about a broken rule cite another rule. The comparison contains that other rule. */
function isRestated(rule: RequirementReport): boolean {
  return rule.status === "failed" && !rule.findings?.some(({ requirement }) => requirement === rule.id);
}
