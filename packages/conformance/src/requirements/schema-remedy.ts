import { formatIssue, type Issue } from "@acp-kit/schema/validate";
import { requirementOf } from "./find-requirement.js";

/** Returns the remedy for a value that does not match the schema: the member to correct, then the rule's remedy. */
export function schemaRemedy(requirement: string, issue: Issue): string {
  return [`Correct the message: ${formatIssue(issue)}.`, requirementOf(requirement).remedy ?? []].flat().join(" ");
}
