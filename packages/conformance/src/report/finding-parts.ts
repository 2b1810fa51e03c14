import { citationOf } from "../requirements/citation.js";
import { requirementOf } from "../requirements/find-requirement.js";
import type { Finding } from "../verdict.js";

/** A labelled text about a finding. Each format of a report prints the same ones. */
export interface FindingPart {
  readonly label: "spec" | "sent" | "received" | "expected" | "to do";
  readonly text: string;
  /** The address of a page in `text`. */
  readonly address?: string;
}

/** Returns the rule of a finding: its ids, also those of the protocol's own test kit, its level and its text. */
export function ruleOf({ requirement }: Finding): { readonly ids: string; readonly text: string } {
  const { level, rule, official = {} } = requirementOf(requirement);
  return { ids: [requirement, ...Object.keys(official)].join(", "), text: `${level}: ${rule}` };
}

/** Returns everything that a report says about a finding after its rule. */
export function findingParts({
  requirement,
  sent,
  received,
  explanation,
  ...finding
}: Finding): readonly FindingPart[] {
  const citation = citationOf(requirement);
  const remedy = finding.remedy ?? requirementOf(requirement).remedy;
  const parts: FindingPart[] = [];
  if (citation) {
    const { text, place, note, address } = citation;
    const quoted = text === undefined ? place : `“${text}” (${place})`;
    parts.push({ label: "spec", text: `${quoted}; ${note}`, ...(address !== undefined && { address }) });
  }
  parts.push({ label: "sent", text: sent }, { label: "received", text: received });
  if (explanation !== requirementOf(requirement).rule) parts.push({ label: "expected", text: explanation });
  if (remedy !== undefined) parts.push({ label: "to do", text: remedy });
  return parts;
}
