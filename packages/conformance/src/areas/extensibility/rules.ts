import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents, permitted } from "../../requirements/untested.js";

/** The rules for extensions: `_meta` and extension methods. */
export const extensibilityRules: readonly Requirement[] = defineRules({
  "EXT-01 both FACT docs, schema": {
    rule: "`_meta?: object|null` is allowed on almost every type: requests, results, notifications, nested types and capabilities. A receiver makes no assumptions about values that it does not know (schema: MUST NOT).",
    official: { "ACP-META-001": "advisory" },
  },
  "EXT-02 both SHOULD docs":
    "A peer uses the root keys `traceparent`, `tracestate` and `baggage` of `_meta` only for W3C trace context. It gives other root keys a namespace, for example `vendor.com/key`.",
  "EXT-03 both MUST NOT docs": {
    rule: "A peer adds no custom members at the root of specified types; all names are reserved.",
    spec: "page extensibility#the-_meta-field: Implementations MUST NOT add any custom fields at the root of a type that's part of the specification.",
    official: { "ACP-SCHEMA-002": "advisory" },
  },
  "EXT-04 both MAY docs": {
    rule: "A peer may send custom requests and notifications if the name of the method starts with `_`.",
    untested: { client: permitted },
  },
  "EXT-05 both MUST docs": {
    rule: "A peer responds to every custom request, with the `id` of the request. RPC-15 states the error for a method that it does not know.",
    spec: "page extensibility#custom-requests: Upon receiving a custom request, implementations MUST respond accordingly with the provided id:",
    remedy:
      "Respond to every extension request, with its id. If you do not know the method, respond with the error -32601.",
    official: { "ACP-EXT-001": "mandatory" },
  },
  "EXT-06 both SHOULD docs": "A peer ignores custom notifications that it does not know.",
  "EXT-07 both SHOULD docs": {
    rule: "A peer advertises its extensions in the `_meta` of capability objects. The caller of an extension checks this first.",
    untested: { client: "Only the two peers know the meaning of an extension; a watch checks its messages (RPC-20)." },
  },
  "EXT-08 both FACT schema": {
    rule: "These types have no `_meta`: the JSON-RPC envelopes and `Error`, `CompactionCapabilities`, `NoticeCapabilities`, and the parts of elicitations and config options that are merged into a parent with a `_meta`.",
    untested: { client: mainlyAgents },
  },
  "EXT-09 both FACT schema":
    "`_meta:null` equals an absent `_meta`. Decoders that follow the schema ignore a `_meta` that is not an object.",
  "EXT-10 both FACT docs": {
    rule: "The client may send correlation fields, for example a request id, to the agent in `_meta`. Intermediaries should forward `_meta` unchanged.",
    untested: { client: permitted },
  },
});
