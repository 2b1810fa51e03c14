/** The sentence of the specification that states a rule, and its location. */
export interface Quote {
  /** The kind of document that contains the sentence; {@link quoteRevisions} names its revision. */
  readonly source: QuoteSource;
  /** The sentence, word for word, without emphasis and links. `…` stands for omitted words. */
  readonly text: string;
  /** For the source `schema`: the JSON pointer into `schema/v1/schema.json` whose description contains the sentence. */
  readonly pointer?: string;
  /** For other sources: the address of the page, with its anchor. */
  readonly address?: string;
  /** The revision of the document, if it is not the revision in {@link quoteRevisions}. */
  readonly revision?: string;
}

/** The place at which the specification states a rule. */
export type Specification = Quote | Statement;

/** The kind of document that contains a sentence. */
export type QuoteSource = "pages" | "rfd" | "document" | "schema" | "json-rpc";

/** The location of a rule without a quote: a place in the schema that states it, or an unquoted page. */
export interface Statement {
  /** The JSON pointer into `schema/v1/schema.json` whose structure states the rule. */
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
  "json-rpc": "JSON-RPC 2.0 Specification, 2013-01-04",
};

/** Creates a quote of a page below `https://agentclientprotocol.com/protocol/v1/`. */
export function fromPage(page: string, text: string): Quote {
  return { source: "pages", text, address: `https://agentclientprotocol.com/protocol/v1/${page}` };
}

/** Creates a quote of an RFD. */
export function fromRfd(page: string, text: string): Quote {
  return { source: "rfd", text, address: `https://agentclientprotocol.com/rfds/${page}` };
}

/** Creates a quote of a document of the specification at a commit, with the page that publishes it. */
export function fromDocument(path: string, commit: string, page: string, text: string): Quote {
  const revision = `${path} of agentclientprotocol/agent-client-protocol at ${commit}`;
  return { source: "document", text, address: `https://agentclientprotocol.com/${page}`, revision };
}

/**
 * Creates a quote of a document of the specification's repository, from a copy in another repository: no copy of the
 * website has the page. A page moved from `v1/draft` to `v1` with the same words when its feature became stable.
 */
export function fromCopy(path: string, page: string, text: string): Quote {
  const revision = `${path} of agentclientprotocol/agent-client-protocol, as copied by julia-script/acpclient at d4ad06c9`;
  return { source: "document", text, address: `https://agentclientprotocol.com/${page}`, revision };
}

/** Creates a quote of a description in the schema of version 1. `path` is the path below `#/$defs/`. */
export function fromSchema(path: string, text: string): Quote {
  return { source: "schema", text, pointer: `#/$defs/${path}` };
}

/** Creates a quote of the JSON-RPC 2.0 specification. */
export function fromJsonRpc(anchor: string, text: string): Quote {
  return { source: "json-rpc", text, address: `https://www.jsonrpc.org/specification#${anchor}` };
}

const shape = "only the schema defines this rule; no sentence of the specification describes it";
const noCopy =
  "the page is newer than every copy of the specification that this package could quote, so the rule is advice and never affects the verdict";

/** The reason why an order of states has no quote. */
export const withoutRfd: string =
  "the schema only names the states; the RFD (a proposal for the specification) that defines their order is not among the package's copies";

/** Names the definition of the schema, below `#/$defs/`, whose structure states a rule. */
export function bySchema(path: string, because: string = shape): Statement {
  return { pointer: `#/$defs/${path}`, because };
}

/** Names the page that states a rule. */
export function byPage(page: string): Statement {
  return { address: `https://agentclientprotocol.com/${page}`, because: noCopy };
}
