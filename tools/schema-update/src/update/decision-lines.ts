import { type Decision, decisionLine } from "@acp-kit/codegen/decisions";
import type { BreakingDecision } from "./breaking.js";

/** All decisions that a person must make before a schema is adopted. */
export interface Decisions {
  readonly breaking: readonly BreakingDecision[];
  /** The decisions that the generator requires. */
  readonly generator: readonly Decision[];
  /** Whether an earlier schema that was kept also breaks stable v1, and the break has not been accepted. */
  readonly pending: boolean;
}

export const noDecisions: Decisions = { breaking: [], generator: [], pending: false };

/** The maximum number of files to list. The type check finds the others. */
const mostPlaces = 15;

/** Lists the decisions, as text that is also Markdown. */
export function decisionLines({ breaking, generator, pending }: Decisions): string {
  const items = breaking.map(({ what, question, places }, index) => {
    const shown = places.slice(0, mostPlaces).map((place) => `   - ${place}`);
    const rest = places.length > mostPlaces ? [`   - … and ${places.length - mostPlaces} more files`] : [];
    const found = places.length === 0 ? ["   - no hand-written code mentions it"] : [...shown, ...rest];
    return [`${index + 1}. ${what}.`, `   ${question}`, ...found].join("\n");
  });
  const parts = items.length === 0 ? [] : [items.join("\n")];
  if (generator.length > 0)
    parts.push(
      ["The generator requires these decisions:", "", ...generator.map((one) => `- ${decisionLine(one)}`)].join("\n"),
    );
  if (pending)
    parts.push(
      items.length === 0
        ? "The schema in the tree was kept although it breaks stable v1. The report of that run lists the decisions."
        : "The schema in the tree, which an earlier run kept, breaks stable v1 too. The report of that run lists its decisions.",
    );
  return parts.join("\n\n");
}

/** Returns the section of the report; empty if there is nothing to decide. */
export function decisionSection(decisions: Decisions): string {
  const lines = decisionLines(decisions);
  if (lines === "") return "";
  return `\n## Decisions\n\nThe new schema breaks stable v1. Answer the question below each break, then adopt the schema with \`--accept-breaking\`.\n\n${lines}\n`;
}

/** The error for a new schema that breaks stable v1 without acceptance of the break. Nothing was written. */
export class BreakingError extends Error {
  override readonly name = "BreakingError";
  readonly decisions: Decisions;

  constructor(decisions: Decisions) {
    super(`The new schema breaks stable v1.\n\n${decisionLines(decisions)}`);
    this.decisions = decisions;
  }
}
