/** The sentence of the specification that states a rule, and its location. */
export interface Quote {
  /** The kind of document that contains the sentence; {@link quoteRevisions} names its revision. */
  readonly source: QuoteSource;
  /** The sentence, word for word, without emphasis and links. `…` stands for omitted words. */
  readonly text: string;
  /** For the sources `schema` and `schema-v2`: the JSON pointer whose description contains the sentence. */
  readonly pointer?: string;
  /** For other sources: the address of the page, with its anchor. */
  readonly address?: string;
  /** The revision of the document, if it is not the revision in {@link quoteRevisions}. */
  readonly revision?: string;
}

/** The place at which the specification states a rule. */
export type Specification = Quote | Statement;

/** The kind of document that contains a sentence. */
export type QuoteSource = "pages" | "rfd" | "document" | "schema" | "schema-v2" | "json-rpc";

/** The location of a rule without a quote: a place in the schema that states it, or an unquoted page. */
export interface Statement {
  /** The JSON pointer into the schema of the rule's version whose structure states the rule. */
  readonly pointer?: string;
  /** The address of the page that states the rule. */
  readonly address?: string;
  /** Why there is no quote. */
  readonly because: string;
}

/** The revisions of the documents that contain the sentences. */
export const quoteRevisions: Readonly<Record<QuoteSource, string>> = {
  pages:
    "agentclientprotocol.com, copies of 2026; the rules follow docs/protocol/v1 of agentclientprotocol/agent-client-protocol at b7f00054 (2026-08-22)",
  rfd: "docs/rfds of agentclientprotocol/agent-client-protocol: additional-directories at 13ef105c, message-id at 063935df",
  document: "a document of agentclientprotocol/agent-client-protocol",
  schema: "schema/v1/schema.json of @agentclientprotocol/sdk@2.4.0",
  "schema-v2": "schema/v2/schema.json of @agentclientprotocol/sdk@2.4.0",
  "json-rpc": "JSON-RPC 2.0 Specification, 2013-01-04",
};

/**
 * The place of a rule in one line: the kind of document, the place in it, and the sentence, word for word. A place in
 * the schema without a sentence states the rule by its structure.
 *
 * - `page prompt-turn#cancellation: …`: a page below `https://agentclientprotocol.com/protocol/v1/`;
 * - `page-v2 error#unknown-sessions: …`: a page below `https://agentclientprotocol.com/protocol/v2/`;
 * - `rfd message-id#…: …`: a page below `https://agentclientprotocol.com/rfds/`;
 * - `schema ToolCall/properties/title: …`, `schema-v2 …`: a description below `#/$defs/` of a schema;
 * - `json-rpc response_object: …`: an anchor of the JSON-RPC 2.0 specification;
 * - `document <path>@<commit> <page>: …`: a document of the specification's repository, with the page that publishes
 *   it;
 * - `copy <path> <page>: …`: the same, from a copy in another repository: no copy of the website has the page. A page
 *   moved from `v1/draft` to `v1` with the same words when its feature became stable.
 */
export type SpecificationLine =
  `${"page" | "page-v2" | "rfd" | "schema" | "schema-v2" | "json-rpc" | "document" | "copy"} ${string}`;

/** Reads a {@link SpecificationLine}. */
export function specificationOf(line: SpecificationLine): Specification {
  const [, kind = "", place = "", text] = /^(\S+) ([^\s:]+)(?:: (.+))?/.exec(line) ?? [];
  if (kind === "schema" || kind === "schema-v2") {
    const pointer = `#/$defs/${place}`;
    return text === undefined ? { pointer, because: shape } : { source: kind, text, pointer };
  }
  const [, path, commit, page, quote] = /^\w+ ([^\s@]+)(?:@(\w+))? ([^\s:]+): (.+)$/.exec(line) ?? [];
  if ((kind === "document" || kind === "copy") && quote !== undefined) {
    const at = commit === undefined ? ", as copied by julia-script/acpclient at d4ad06c9" : ` at ${commit}`;
    const revision = `${path} of agentclientprotocol/agent-client-protocol${at}`;
    return { source: "document", text: quote, address: `https://agentclientprotocol.com/${page}`, revision };
  }
  const [source, base] = documents[kind] ?? [];
  if (source === undefined || text === undefined) throw new TypeError(`This is no place of a rule: ${line}`);
  return { source, text, address: `${base}${place}` };
}

const documents: Readonly<Record<string, readonly [source: QuoteSource, base: string]>> = {
  page: ["pages", "https://agentclientprotocol.com/protocol/v1/"],
  "page-v2": ["pages", "https://agentclientprotocol.com/protocol/v2/"],
  rfd: ["rfd", "https://agentclientprotocol.com/rfds/"],
  "json-rpc": ["json-rpc", "https://www.jsonrpc.org/specification#"],
};

const shape = "only the schema defines this rule; no sentence of the specification describes it";
const noCopy =
  "the page is newer than every copy of the specification that this package could quote, so the rule is advice and never affects the verdict";

/** The reason why an order of states has no quote. */
export const withoutRfd: string =
  "the schema only names the states; the RFD (a proposal for the specification) that defines their order is not among the package's copies";

/** Names the definition of the schema, below `#/$defs/`, whose structure states a rule, and why it has no quote. */
export function bySchema(path: string, because: string): Statement {
  return { pointer: `#/$defs/${path}`, because };
}

/** Names the page that states a rule. */
export function byPage(page: string): Statement {
  return { address: `https://agentclientprotocol.com/${page}`, because: noCopy };
}
