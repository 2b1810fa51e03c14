import { documentQuotes } from "./quotes/documents.js";
import { jsonRpcQuotes } from "./quotes/json-rpc.js";
import { pageQuotes } from "./quotes/pages.js";
import { type Quote, quoteRevisions } from "./quotes/quote.js";
import { rfdQuotes } from "./quotes/rfds.js";
import { schemaQuotes } from "./quotes/schema.js";
import { statements } from "./quotes/statements.js";

/** The sentences of the specification that state the rules, by the id of the rule. */
export const quotes: Readonly<Record<string, Quote>> = {
  ...jsonRpcQuotes,
  ...pageQuotes,
  ...schemaQuotes,
  ...rfdQuotes,
  ...documentQuotes,
};

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
 * Returns the location at which the specification states a rule, or `undefined` for a rule that has neither a quote nor a statement,
 * because it is not a MUST.
 */
export function citationOf(requirement: string): Citation | undefined {
  const quote = quotes[requirement];
  if (quote) {
    const place = quote.address ?? `schema ${quote.pointer}`;
    const note = quote.revision ?? quoteRevisions[quote.source];
    return { text: quote.text, place, ...(quote.address && { address: quote.address }), note };
  }
  const statement = statements[requirement];
  if (!statement) return undefined;
  const { pointer, address, because } = statement;
  const place = pointer === undefined ? `stated by ${address}` : `stated by the schema at ${pointer}`;
  return { place, ...(address && { address }), note: because };
}
