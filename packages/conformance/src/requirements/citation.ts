import { requirementOf } from "./find-requirement.js";
import { quoteRevisions } from "./specification.js";

/** The location of a rule in the specification, for a report. */
export interface Citation {
  /** The sentence, if one states the rule. */
  readonly text?: string;
  /** The address of the page, with its anchor, or the JSON pointer into the schema. */
  readonly place: string;
  /** The address of the page, if the place is a page. */
  readonly address?: string;
  /** The revision of the quoted document, or the reason why there is no quote. */
  readonly note: string;
}

/**
 * Returns the location at which the specification states a rule, or `undefined` for a rule that has neither a quote nor
 * a statement, because it is not a MUST.
 */
export function citationOf(requirement: string): Citation | undefined {
  const { spec } = requirementOf(requirement);
  if (!spec) return undefined;
  const { pointer, address } = spec;
  if ("text" in spec) {
    const place = address ?? `schema ${pointer}`;
    const note = spec.revision ?? quoteRevisions[spec.source];
    return { text: spec.text, place, ...(address && { address }), note };
  }
  const { because } = spec;
  const place = pointer === undefined ? `stated by ${address}` : `stated by the schema at ${pointer}`;
  return { place, ...(address && { address }), note: because };
}
