import { fromCopy, fromDocument, type Quote } from "./quote.js";

const copy = "julia-script/acpclient at d4ad06c9";

/** A sentence of the page about elicitation, which moved from `v1/draft` to `v1` with the same words when elicitation became stable. */
const elicitation = (anchor: string, text: string): Quote =>
  fromCopy("docs/protocol/v1/draft/elicitation.mdx", copy, `protocol/v1/elicitation#${anchor}`, text);

/** A sentence of the RFD about elicitation, in the state in which it was completed. */
const elicitationRfd = (anchor: string, text: string): Quote =>
  fromCopy("docs/rfds/elicitation.mdx", copy, `rfds/elicitation#${anchor}`, text);

const unadvertised = elicitation("checking-support", "Agents MUST NOT request a mode the Client has not advertised.");
const logout = fromCopy(
  "docs/protocol/v1/draft/authentication.mdx",
  copy,
  "protocol/v1/authentication#advertising-authentication",
  "If agentCapabilities.auth.logout is omitted or null, the Agent does not support logout and Clients MUST NOT call it.",
);

/**
 * The quotes of rules whose own page could not be quoted, because no copy of the website contains it. Each sentence comes from a document of
 * the specification's repository that states the same rule.
 */
export const documentQuotes: Readonly<Record<string, Quote>> = {
  "LIST-13": fromDocument(
    "docs/rfds/session-list.mdx",
    "11cff553",
    "rfds/session-list#security-considerations",
    "Agents must ensure sessions are only listed for the authenticated client",
  ),
  "CAP-06": logout,
  "CAP-16": unadvertised,
  "CAP-17": unadvertised,
  "AUTH-16": logout,
  "ELICIT-01": unadvertised,
  "ELICIT-07": elicitationRfd(
    "restricted-json-schema",
    'Senders MUST include both type: "object" and properties in every requestedSchema.',
  ),
  "ELICIT-12": elicitationRfd(
    "restricted-json-schema",
    "Because pattern is supplied by an Agent, implementations that evaluate it MUST use a regex engine or execution limits that bound evaluation time and resource use.",
  ),
  "ELICIT-19": elicitationRfd(
    "error-handling",
    "Clients MUST return standard JSON-RPC errors for common failure cases: When the agent sends an elicitation/create request with a mode not declared in client capabilities: -32602 (Invalid params)",
  ),
  "ELICIT-23": elicitation(
    "responses",
    "Agents MUST NOT assume an elicitation succeeds. They MUST handle decline, cancel, and failures by safely falling back, retrying, or failing the originating operation as appropriate.",
  ),
  "ELICIT-25": elicitation(
    "form-mode",
    "Form mode MUST NOT be used to request secrets or credentials that grant access or authorize transactions, such as passwords, API keys, access or refresh tokens, private keys, recovery codes, or payment credentials.",
  ),
  "ELICIT-26": elicitation(
    "form-mode",
    "Agents MUST use URL mode for sensitive interactions. If the Client does not support URL mode, the Agent MUST NOT fall back to form mode; it must use another safe flow or fail the operation.",
  ),
  "ELICIT-27": elicitation(
    "url-mode",
    "Agents MUST NOT send credentials or tokens obtained through URL mode back over ACP or place them in Client or model context.",
  ),
  "ELICIT-29": elicitation(
    "creating-an-elicitation",
    "Agents MUST bind each elicitation and related state to the receiving Client connection and, when authentication exists, the verified user identity. A sessionId alone or an unverified Client-provided identity is not sufficient.",
  ),
  "ELICIT-30": elicitation(
    "url-completion",
    "The Agent MUST keep each elicitationId unique among outstanding URL elicitations on that Agent-Client connection",
  ),
  "ELICIT-31": elicitation("url-completion", "the Client MUST treat it as opaque"),
  "ELICIT-33": elicitation(
    "url-completion",
    "It MUST send that notification only to the same Client that received the original request and include the original elicitationId.",
  ),
  "ELICIT-34": elicitation("url-completion", "Clients MUST ignore unknown or already-completed IDs."),
  "ELICIT-37": elicitation(
    "url-security",
    "Agents MUST NOT put credentials, personal data, or pre-authenticated access in the URL",
  ),
  "ELICIT-40": elicitation(
    "url-security",
    "Clients MUST NOT prefetch the URL or open it without explicit user consent.",
  ),
  "ELICIT-41": elicitation("url-security", "They MUST show the full URL before asking for consent."),
  "ELICIT-42": elicitation(
    "url-security",
    "Clients MUST open the URL in a secure context that prevents the Client or Agent's language model from inspecting the page or user input.",
  ),
  "ELICIT-45": elicitation(
    "url-security",
    "The Agent MUST verify that the authenticated user who started the elicitation is the same user who completes the external interaction.",
  ),
  "CANCEL-18": fromDocument(
    "docs/protocol/draft/cancellation.mdx",
    "4067fbfd",
    "protocol/v1/cancellation",
    "MUST send one of these responses for the original request: A valid response with appropriate data (such as partial results or cancellation marker) … An error response with code -32800",
  ),
};
