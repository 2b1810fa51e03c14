import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents, permitted } from "../../requirements/untested.js";
import { capabilitiesRules } from "../capabilities/rules.js";

/** The rules for `initialize` and the negotiation of the protocol version. */
export const initializeRules: readonly Requirement[] = defineRules({
  "INIT-01 client MUST docs": {
    rule: "The client sends `initialize` first, and sends nothing about sessions before the response.",
    spec: "page initialization: Before a Session can be created, Clients MUST initialize the connection by calling the initialize method with: …",
    remedy: "Send initialize first, and wait for its response.",
  },
  "INIT-02 client MUST docs, schema": {
    rule: "The client sends the newest protocol version that it supports as `initialize.params.protocolVersion`.",
    spec: "page initialization#version-negotiation: The initialize request MUST include the latest protocol version the Client supports.",
    remedy: "Send the newest version that you support as protocolVersion.",
  },
  "INIT-03 client MUST docs": {
    rule: "The client states its capabilities in `initialize` (`clientCapabilities`). Omitted members mean that the client does not support them.",
    spec: "page initialization: Before a Session can be created, Clients MUST initialize the connection by calling the initialize method with: … The capabilities supported",
    remedy: "Send clientCapabilities in initialize.",
  },
  "INIT-04 client SHOULD docs": "The client sends `clientInfo {name, version, title?}`.",
  "INIT-05 agent MUST docs": {
    rule: "The agent responds to `initialize` with the chosen `protocolVersion` and its capabilities.",
    spec: "page initialization: The Agent MUST respond with the chosen protocol version and the capabilities it supports.",
    remedy: "Respond to initialize with a result: an integer protocolVersion, and agentCapabilities.",
    official: { "ACP-INIT-001": "mandatory" },
  },
  "INIT-06 agent SHOULD docs": {
    rule: "The agent sends `agentInfo {name, version, title?}`.",
    official: { "ACP-INIT-004": "advisory" },
  },
  "INIT-07 agent MUST docs": {
    rule: "If the agent supports the requested version, it responds with exactly that version.",
    spec: "page initialization#version-negotiation: If the Agent supports the requested version, it MUST respond with the same version.",
    remedy: "Respond with the requested version if you support it.",
    official: { "ACP-INIT-002": "mandatory" },
  },
  "INIT-08 agent MUST docs": {
    rule: "If the agent does not support the requested version, it responds **successfully** with the newest version that it supports, and not with an error.",
    spec: "page initialization#version-negotiation: Otherwise, the Agent MUST respond with the latest version it supports.",
    remedy:
      "Respond with the newest version that you support, and not with an error. The client decides whether it continues.",
    official: { "ACP-INIT-003": "mandatory" },
  },
  "INIT-09 client SHOULD docs":
    "If the client does not support the version in the response, it closes the connection and informs the user.",
  "INIT-10 both MUST docs": {
    rule: "After `initialize`, both sides behave as the agreed version specifies.",
    spec: "page initialization#protocol-version: Clients and Agents MUST agree on a protocol version and act according to its specification.",
    remedy: "After initialize, send only messages of the version in its response.",
  },
  "INIT-11 both MUST schema": {
    rule: "`protocolVersion` is a JSON integer from 0 to 65535. Strings, fractions, negative and larger numbers are invalid; `0` is a pre-release version that a peer treats as unsupported.",
    spec: "schema ProtocolVersion",
    remedy: "Send protocolVersion as an integer from 0 to 65535.",
  },
  "INIT-12 both MUST docs": {
    rule: "A peer treats every capability that the other peer omitted as unsupported.",
    spec: "page initialization#capabilities: Therefore, Clients and Agents MUST treat all capabilities omitted in the initialize request as UNSUPPORTED.",
    brokenBy: capabilitiesRules.filter(({ level }) => level === "MUST NOT").map(({ id }) => id),
    remedy: "Treat every capability that the peer left out as unsupported.",
  },
  "INIT-13 both FACT docs, schema":
    "A capability whose value is an object is supported if it is `{}` or any other object; omitted and `null` both mean unsupported. Boolean capabilities default to `false`.",
  "INIT-14 both FACT docs, schema": {
    rule: "As an exception to INIT-13, `clientCapabilities.elicitation: {}` enables **nothing**: `form` and `url` each need an object of their own. Likewise, `session:{}`, `session.configOptions:{}`, `auth:{}` and `fs:{}` are only containers.",
    untested: { client: mainlyAgents },
  },
  "INIT-15 both SHOULD docs":
    "An implementation works with every combination of the other peer's capabilities, because no combination is illegal.",
  "INIT-16 client SHOULD docs":
    "The client states each of `fs.readTextFile`, `fs.writeTextFile`, `terminal`, `auth.terminal`, `elicitation.form`, `elicitation.url` and `session.configOptions.boolean`, and since Nov 2026 also `session.notices` and `session.compaction`.",
  "INIT-17 agent SHOULD docs":
    "The agent states each of `loadSession`, `promptCapabilities.{image,audio,embeddedContext}`, `mcpCapabilities.{http,sse}`, `auth.logout` and `sessionCapabilities.{list,delete,resume,close,additionalDirectories}`.",
  "INIT-18 agent MUST docs, schema": {
    rule: "Every agent implements `initialize`, `session/new`, `session/prompt` and `session/cancel`, and sends `session/update`. The overview also lists `authenticate`, which an agent needs only if `authMethods` has an entry that is not of the type terminal.",
    spec: "schema SessionCapabilities: As a baseline, all Agents **MUST** support `session/new`, `session/prompt`, `session/cancel`, and `session/update`.",
    remedy:
      "Implement initialize, session/new, session/prompt, session/cancel and session/update for a client without any capability.",
  },
  "INIT-19 client FACT docs":
    "Every client responds to `session/request_permission` and accepts `session/update`. Neither depends on a capability.",
  "INIT-20 agent SHOULD later page":
    "The agent responds with the error `-32600` to any request other than `initialize` that arrives before initialization. The newer public page about errors states this; the pages of Aug 2026 do not.",
  "INIT-21 both FACT schema": {
    rule: "`initialize` happens once per connection, at its start. Version 1 does not specify a second `initialize`.",
    tier: { is: "informational", because: "Version 1 leaves the effect of a second initialize open." },
  },
  "INIT-22 both FACT schema":
    'A peer reads a malformed *optional* member as its default, or drops the malformed item, instead of failing. Examples are `clientInfo:5`, `clientCapabilities.terminal:"yes"`, `authMethods:[5]`, `clientCapabilities:null` and `agentCapabilities:null` (schema keywords `x-deserialize-default-on-error` and `x-deserialize-skip-invalid-items`).',
  "INIT-23 both FACT docs, schema": "A peer ignores unknown members of capabilities.",
  "INIT-24 client FACT docs; review":
    "As a name for display, the client uses `title`, or `name` if there is no `title`.",
  "INIT-25 both FACT docs": {
    rule: "New features of the protocol are capabilities, not new versions. The version number changes only with breaking changes.",
    untested: { client: permitted },
  },
});
