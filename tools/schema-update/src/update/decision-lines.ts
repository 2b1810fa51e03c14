import { type Decision, decisionLine } from "@acp-kit/codegen/decisions";
import type { BreakingDecision } from "./breaking.js";

/** All decisions to make before a schema is adopted. */
export interface Decisions {
  readonly breaking: readonly BreakingDecision[];
  /** What the generator can't decide about it. */
  readonly generator: readonly Decision[];
  /** A schema that was kept before also breaks stable v1, and that has not been accepted yet. */
  readonly pending: boolean;
}

export const noDecisions: Decisions = { breaking: [], generator: [], pending: false };

/** A longer list of files does not help: the type-check finds the rest. */
const mostPlaces = 15;

/** The list of decisions, as plain text that is Markdown as well. */
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
      ["The generator stops until these are decided:", "", ...generator.map((one) => `- ${decisionLine(one)}`)].join(
        "\n",
      ),
    );
  if (pending)
    parts.push(
      items.length === 0
        ? "The schema in the tree was kept although it breaks stable v1: its report lists what to decide."
        : "The schema that was kept before breaks stable v1, too: its decisions stand in the report of that run.",
    );
  return parts.join("\n\n");
}

/** The section of the report; empty when there is nothing to decide. */
export function decisionSection(decisions: Decisions): string {
  const lines = decisionLines(decisions);
  if (lines === "") return "";
  return `\n## Decisions\n\nStable v1 breaks. A person decides each of these, then adopts the schema with \`--accept-breaking\`.\n\n${lines}\n`;
}

/** The new schema breaks stable v1 and that has not been accepted: nothing was written. */
export class BreakingError extends Error {
  override readonly name = "BreakingError";
  readonly decisions: Decisions;

  constructor(decisions: Decisions) {
    super(`The new schema breaks stable v1.\n\n${decisionLines(decisions)}`);
    this.decisions = decisions;
  }
}
