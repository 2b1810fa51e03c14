import { fromDocument, type Quote } from "./quote.js";

const elicitation = (anchor: string, text: string): Quote =>
  fromDocument("docs/rfds/elicitation.mdx", "c0cf9b0b", `rfds/elicitation#${anchor}`, text);

const completion = "completion-notifications-for-url-mode";
const security = "how-does-authentication-flow-work-with-url-mode-elicitation";

/**
 * The sentences for rules whose page this package has no copy of. Each sentence is from a document of the specification's repository that
 * states the same rule.
 */
export const documentQuotes: Readonly<Record<string, Quote>> = {
  "LIST-13": fromDocument(
    "docs/rfds/session-list.mdx",
    "11cff553",
    "rfds/session-list#security-considerations",
    "Agents must ensure sessions are only listed for the authenticated client",
  ),
  "ELICIT-27": elicitation(security, "Credentials never flow through the agent LLM or client"),
  "ELICIT-33": elicitation(
    completion,
    "Agents sending notifications: MUST only send the notification to the client that initiated the elicitation request … MUST include the elicitationId established in the original request",
  ),
  "ELICIT-34": elicitation(
    completion,
    "Clients: MUST ignore notifications referencing unknown or already-completed IDs",
  ),
  "ELICIT-37": elicitation(security, "Agents MUST NOT include sensitive information in the URL"),
  "ELICIT-42": elicitation(
    security,
    "Clients MUST open URLs in a secure context that prevents inspection (e.g., SFSafariViewController on iOS, not WKWebView)",
  ),
  "ELICIT-45": elicitation(
    security,
    "The agent MUST verify that the user who started the elicitation request is the same user who completes the OAuth flow.",
  ),
  "CANCEL-18": fromDocument(
    "docs/protocol/draft/cancellation.mdx",
    "4067fbfd",
    "protocol/v1/cancellation",
    "MUST send one of these responses for the original request: A valid response with appropriate data (such as partial results or cancellation marker) … An error response with code -32800",
  ),
};
