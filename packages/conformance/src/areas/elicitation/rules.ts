import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifClientHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";
import { afterConsent, mainlyAgents, permitted } from "../../requirements/untested.js";

/** The rules for elicitation, by which an agent requests input from the user. */
export const elicitationRules: readonly Requirement[] = defineFeatureRules("elicitation", {
  "ELICIT-01 agent MUST NOT docs, rfd": {
    rule: "The agent never sends an elicitation of a mode that the client did not advertise (`elicitation.form` / `elicitation.url` non-null).",
    feature: null,
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#checking-support: Agents MUST NOT request a mode the Client has not advertised.",
    brokenBy: ["CAP-16", "CAP-17"],
    remedy: ifClientHas("a mode of elicitation/create", "elicitation has an object for that mode"),
    official: { "ACP-CLIENTCAP-003": "mandatory" },
  },
  "ELICIT-02 agent SHOULD docs, rfd":
    "If the client does not support the mode that the agent needs, the agent falls back gracefully. It does not require elicitation for unrelated work.",
  "ELICIT-03 agent MUST docs, schema": {
    rule: "The agent always states the `mode` of an elicitation (`form` or `url`). Unlike in MCP, there is no default.",
    spec: "schema CreateElicitationRequest/anyOf",
    remedy: "Send the mode with every elicitation, because there is no default.",
  },
  "ELICIT-04 agent MUST schema": {
    rule: "The agent sends a `message` with an elicitation of any mode.",
    spec: "schema CreateElicitationRequest/required",
    remedy: "Send a message with every elicitation, because the client shows it to the user.",
  },
  "ELICIT-05 agent MUST docs, schema": {
    rule: "An elicitation has exactly one scope in its params: `sessionId` (with an optional `toolCallId`), or `requestId`, the id of a JSON-RPC request outside any session, for example `authenticate`. The schema does not forbid both.",
    spec: "schema CreateElicitationRequest: Elicitations are tied to a session (optionally a tool call) or a request.",
    remedy: "Send either sessionId or requestId with an elicitation, not both.",
  },
  "ELICIT-06 agent MUST schema": {
    rule: "The agent sends `requestedSchema` with a form, and `elicitationId` and `url` with an elicitation of url mode. The schema gives `url` the format uri; the RFD says that it MUST be a valid URL.",
    spec: "schema ElicitationUrlMode/required",
    remedy: "Send requestedSchema with a form, and elicitationId and url with an elicitation of the mode url.",
  },
  "ELICIT-07 agent MUST rfd": {
    rule: 'The agent always puts `type:"object"` and `properties` into `requestedSchema`.',
    spec: 'copy docs/rfds/elicitation.mdx rfds/elicitation#restricted-json-schema: Senders MUST include both type: "object" and properties in every requestedSchema.',
  },
  "ELICIT-08 client FACT rfd, schema":
    "The client reads a missing or malformed `type` of `requestedSchema` as object, and missing `properties` as empty. `properties:null` is invalid.",
  "ELICIT-09 agent MUST docs, schema": {
    rule: 'The agent sends flat schemas. Each property is a `string` (`minLength,maxLength,pattern,format,default,enum` or `oneOf[{const,title,description?}]`), a `number` or `integer` (`minimum,maximum,default`), a `boolean` (`default`), or an `array` for a choice of several values (`items:{type:"string",enum}` or `items:{anyOf:[{const,title}]}`, `minItems,maxItems,default`). The schema has no nesting, no conditionals, no `$schema` and no `enumNames`.',
    spec: "schema ElicitationSchema/properties/properties: Property definitions (must be primitive types).",
    remedy: "Request only strings, numbers, integers, booleans and choices. Send no nested objects.",
  },
  "ELICIT-10 client FACT schema, rfd": {
    rule: "The known values of `format` are `email`, `uri`, `date` and `date-time`. The RFD says that an unknown format MUST be preserved and MUST NOT cause rejection. **The v1 schema contradicts this**: its enum is closed, and an unknown format makes the request invalid. The client should decode the format leniently.",
    tier: {
      is: "informational",
      because: "The RFD and the schema contradict each other: a client that follows either is right.",
    },
  },
  "ELICIT-11 client FACT schema, rfd":
    "The client keeps an unknown property `type`, `items.type` or `mode` unchanged when it stores or forwards the request, and never renders it as a known control or mode. Values with a leading `_` are private; all others are reserved.",
  "ELICIT-12 client MUST rfd; harness": {
    rule: "The client limits the time and the resources for the evaluation of a `pattern` that the agent sent.",
    spec: "copy docs/rfds/elicitation.mdx rfds/elicitation#restricted-json-schema: Because pattern is supplied by an Agent, implementations that evaluate it MUST use a regex engine or execution limits that bound evaluation time and resource use.",
  },
  "ELICIT-13 client SHOULD docs, rfd; review":
    "The client fills fields in advance with the defaults that the schema declares.",
  "ELICIT-14 both SHOULD docs": {
    rule: "The client validates values before it sends them, and the agent validates them again.",
    untested: { client: mainlyAgents },
  },
  "ELICIT-15 client MUST docs; review": {
    rule: "The client shows clearly which agent sent the request, respects the user's privacy, and lets the user decline and cancel.",
    spec: "page elicitation#user-interaction-requirements: Clients MUST clearly identify the Agent requesting information, respect user privacy, and provide clear decline and cancel controls.",
  },
  "ELICIT-16 client MUST docs; review": {
    rule: "The client lets the user review and change the values of a form before it sends them.",
    spec: "page elicitation#user-interaction-requirements: For form mode, Clients MUST let users review and modify responses before sending them.",
  },
  "ELICIT-17 client SHOULD docs; review": "The client shows the `message` to the user.",
  "ELICIT-18 client FACT docs, schema":
    'The client responds with `{action:"accept",content?}`, with `{action:"decline"}` if the user refuses explicitly, or with `{action:"cancel"}` if the user dismisses the request.',
  "ELICIT-19 client MUST docs, rfd": {
    rule: "The client responds with the error `-32602` to an elicitation of a mode that it did not advertise.",
    spec: "copy docs/rfds/elicitation.mdx rfds/elicitation#error-handling: Clients MUST return standard JSON-RPC errors for common failure cases: When the agent sends an elicitation/create request with a mode not declared in client capabilities: -32602 (Invalid params)",
    remedy: "Respond to an elicitation of a mode that you did not advertise with the error -32602.",
    tier: { is: "advisory", because: "The page names the error code without a MUST. The MUST is in the RFD alone." },
  },
  "ELICIT-20 both FACT docs, schema": {
    rule: "`content` has a meaning only with `accept`, and is ignored with `decline` and `cancel`. An omitted `content` equals `null`. Its values are strings, integers, numbers, booleans and arrays of strings.",
    untested: { client: afterConsent },
  },
  "ELICIT-21 client SHOULD docs":
    "For an accepted form, the client sends a `content` that conforms to the requested schema: its keys are among `properties`, and all `required` keys are present.",
  "ELICIT-22 client FACT docs": {
    rule: "For an accepted elicitation of url mode, the client normally omits `content`. `accept` means that the user agreed to open the URL, not that the interaction is complete.",
    untested: { client: afterConsent },
  },
  "ELICIT-23 agent MUST docs": {
    rule: "The agent never assumes that an elicitation succeeded. It handles `decline`, `cancel`, errors and failures: it falls back, retries safely or fails the operation.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#responses: Agents MUST NOT assume an elicitation succeeds. They MUST handle decline, cancel, and failures by safely falling back, retrying, or failing the originating operation as appropriate.",
    remedy: "Continue only if the action is accept. Treat decline, cancel and errors as a refusal.",
  },
  "ELICIT-24 agent MUST NOT schema, rfd": {
    rule: "The agent does not treat an unknown `action` as a known one. It keeps the value unchanged when it forwards the response.",
    spec: "schema CreateElicitationResponse/anyOf/3: They MUST NOT treat it as a known elicitation action.",
    remedy: "Treat an action that you do not know as cancel.",
  },
  "ELICIT-25 agent MUST NOT docs": {
    rule: "The agent never requests secrets in form mode: passwords, API keys, tokens, private keys, recovery codes or payment credentials. It may request names, e-mail addresses and user names.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#form-mode: Form mode MUST NOT be used to request secrets or credentials that grant access or authorize transactions, such as passwords, API keys, access or refresh tokens, private keys, recovery codes, or payment credentials.",
    remedy: "Send an elicitation with the mode url for secrets. The user then enters them on your web page.",
  },
  "ELICIT-26 agent MUST docs": {
    rule: "The agent requests sensitive input in url mode. If the client does not support url mode, the agent does not use form mode instead: it uses another safe flow or fails the operation.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#form-mode: Agents MUST use URL mode for sensitive interactions. If the Client does not support URL mode, the Agent MUST NOT fall back to form mode; it must use another safe flow or fail the operation.",
    brokenBy: ["ELICIT-25"],
    remedy:
      "Use the mode url for secrets. If the client does not offer it, fail the operation or use another safe flow.",
  },
  "ELICIT-27 agent MUST NOT docs": {
    rule: "The agent never sends credentials or tokens that it obtained through url mode over ACP, and never puts them into the context of the client or the model.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#url-mode: Agents MUST NOT send credentials or tokens obtained through URL mode back over ACP or place them in Client or model context.",
    untested: { agent: "It needs a real login on a web page, and the secret that the login produces." },
  },
  "ELICIT-28 both FACT docs; review":
    "An elicitation of url mode does not replace the authorisation of the client towards the agent (`authenticate`).",
  "ELICIT-29 agent MUST docs, rfd; harness": {
    rule: "The agent binds each elicitation and its state to the client connection and, if users are authenticated, to the verified user. A session id or an unverified claim of the client is not enough. The agent protects the stored state from access by others.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#creating-an-elicitation: Agents MUST bind each elicitation and related state to the receiving Client connection and, when authentication exists, the verified user identity. A sessionId alone or an unverified Client-provided identity is not sufficient.",
    untested: { agent: "It needs a second client on the same agent process, which is impossible over stdio." },
  },
  "ELICIT-30 agent MUST docs": {
    rule: "The agent gives each elicitation of url mode an `elicitationId` that no other open one of the connection has.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#url-completion: The Agent MUST keep each elicitationId unique among outstanding URL elicitations on that Agent-Client connection",
    remedy: "Create an elicitationId that no other open elicitation of the connection has.",
  },
  "ELICIT-31 client MUST docs": {
    rule: "The client treats `elicitationId` as an opaque string.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#url-completion: the Client MUST treat it as opaque",
    remedy: "Treat an elicitationId as an opaque string.",
  },
  "ELICIT-32 agent MAY docs":
    "The agent may send `elicitation/complete {elicitationId}` when the external interaction is complete.",
  "ELICIT-33 agent MUST docs": {
    rule: "The agent sends `elicitation/complete` only to the client that received the request, with the `elicitationId` of that request.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#url-completion: It MUST send that notification only to the same Client that received the original request and include the original elicitationId.",
    remedy: "Send elicitation/complete with the elicitationId of the request, to the client that received it.",
  },
  "ELICIT-34 client MUST docs": {
    rule: "The client ignores `elicitation/complete` with an unknown or already completed id.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#url-completion: Clients MUST ignore unknown or already-completed IDs.",
    remedy: "Ignore elicitation/complete with an id that is unknown or already completed.",
  },
  "ELICIT-35 client MAY rfd; review":
    "After `elicitation/complete`, the client may retry the request, update its UI or continue.",
  "ELICIT-36 client SHOULD rfd; review":
    "The client lets the user retry or cancel, in case `elicitation/complete` never arrives.",
  "ELICIT-37 agent MUST NOT docs": {
    rule: "The agent puts no credentials, no personal data and no pre-authenticated access into the URL.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#url-security: Agents MUST NOT put credentials, personal data, or pre-authenticated access in the URL",
    remedy: "Keep credentials and personal data out of the URL. Store them on your server, under the elicitationId.",
  },
  "ELICIT-38 agent SHOULD docs": "The agent uses HTTPS URLs outside of development.",
  "ELICIT-39 agent SHOULD NOT docs": "The agent puts no clickable URLs into the fields of a form.",
  "ELICIT-40 client MUST NOT docs; harness": {
    rule: "The client does not fetch the URL or its metadata in advance, and never opens it without the user's explicit consent.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#url-security: Clients MUST NOT prefetch the URL or open it without explicit user consent.",
    remedy: "Open the URL only after the user has agreed. Send no request to it before.",
  },
  "ELICIT-41 client MUST docs; review": {
    rule: "The client shows the full URL and its host before it asks for the user's consent.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#url-security: They MUST show the full URL before asking for consent.",
  },
  "ELICIT-42 client MUST docs; harness": {
    rule: "The client opens the URL in a secure context that neither its own code nor the model can inspect.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#url-security: Clients MUST open the URL in a secure context that prevents the Client or Agent's language model from inspecting the page or user input.",
    untested: { client: "Only a person at the machine can see where the client opens a page." },
  },
  "ELICIT-43 client SHOULD docs; review":
    "The client highlights the domain, and warns about ambiguous or Punycode hosts.",
  "ELICIT-44 client SHOULD NOT docs; review":
    "The client renders no URL as clickable, except the `url` of an elicitation of url mode.",
  "ELICIT-45 agent MUST docs; harness": {
    rule: "The agent verifies that the user who finishes the external flow is the user who started it.",
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#url-security: The Agent MUST verify that the authenticated user who started the elicitation is the same user who completes the external interaction.",
    untested: { agent: "It needs two people or two browsers on the agent's web page." },
  },
  "ELICIT-46 both FACT derived": {
    rule: 'Version 1 does not specify the effect of `session/cancel` on a pending elicitation. This package recommends that the client responds with `{action:"cancel"}` or the error `-32800`.',
    untested: { client: permitted },
  },
});
