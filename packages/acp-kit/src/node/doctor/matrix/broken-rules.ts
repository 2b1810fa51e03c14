import type { ConformanceReport } from "@acp-kit/conformance";

/** Returns the broken rules that make the agent non-conformant. Does not return broken rules that are only advice. */
export function brokenRules({ requirements }: Pick<ConformanceReport, "requirements">): readonly string[] {
  return requirements
    .filter(({ tier }) => tier === "mandatory" || tier === "capability")
    .filter(
      ({ id, status, findings = [] }) =>
        status === "failed" && findings.some(({ requirement, advice }) => requirement === id && advice !== true),
    )
    .map(({ id }) => id)
    .sort();
}
