import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents } from "../../requirements/untested.js";

/** The rules of JSON-RPC 2.0: envelopes, ids and responses. */
export const jsonRpcRules: readonly Requirement[] = defineRules({
  "RPC-01 both MUST schema, json-rpc": {
    rule: 'Every message is a JSON object with `"jsonrpc":"2.0"`. In the schema, `jsonrpc` is a required string whose only allowed value is `2.0`.',
    spec: 'json-rpc request_object: A String specifying the version of the JSON-RPC protocol. MUST be exactly "2.0".',
    remedy: 'Send every message as a JSON object with "jsonrpc": "2.0".',
  },
  "RPC-02 both MUST json-rpc, schema": {
    rule: "A request has `id`, `method` and optionally `params`. A notification has `method` and **no** `id`, and a response has `id` and no `method`.",
    spec: 'json-rpc notification: A Notification is a Request object without an "id" member.',
    remedy: "Send requests with id and method, notifications without id, responses with id and without method.",
  },
  "RPC-03 both MUST json-rpc, docs": {
    rule: "A response has exactly one of `result` (success) and `error` (failure). `result` is present even if there is nothing to report; it is `{}` then.",
    spec: "json-rpc response_object: Either the result member or error member MUST be included, but both members MUST NOT be included.",
    remedy: "Send either result or error in a response. The result is {} if there is nothing to report.",
    official: { "ACP-JSONRPC-002": "mandatory" },
  },
  "RPC-04 both MUST json-rpc": {
    rule: 'Each request gets exactly one response, whose `id` equals the id of the request in value **and JSON type** (`1` is not `"1"`).',
    spec: "json-rpc response_object: When a rpc call is made, the Server MUST reply with a Response, except for in the case of Notifications. … It MUST be the same as the value of the id member in the Request Object.",
    remedy: "Respond to every request exactly once, with its id unchanged: a string stays a string.",
    official: { "ACP-JSONRPC-001": "mandatory" },
  },
  "RPC-05 both MUST NOT docs, json-rpc": {
    rule: "A peer never responds to a notification, neither with a result nor with an error, even if the notification is malformed or unknown.",
    spec: "page overview#error-handling: Notifications never receive responses (success or error)",
    remedy: "Never respond to a message without an id, not even to a malformed one.",
    official: { "ACP-JSONRPC-003": "mandatory" },
  },
  "RPC-06 both MUST schema": {
    rule: "The id of a request is `null`, a 64-bit signed integer or a string. Fractional numbers do not conform to the schema.",
    spec: "schema RequestId: An identifier established by the Client that MUST contain a String, Number, or NULL value if included.",
    remedy: "Use integers or strings as ids of requests.",
  },
  "RPC-07 both SHOULD NOT schema, json-rpc":
    "A sender avoids fractional ids and `null`. `null` is reserved for error responses to requests whose id is unknown.",
  "RPC-08 both FACT derived, json-rpc":
    "Each direction has its own ids: the agent may have an open request with `id:1` while a request of the client with `id:1` is open.",
  "RPC-09 both FACT derived, json-rpc":
    "Responses may arrive in any order. A peer continues to process incoming messages while a request is open; `session/cancel`, `session/set_mode`, `session/set_config_option`, `fs/*` and `terminal/*` need this during a prompt.",
  "RPC-10 both MUST schema": {
    rule: "If a message has `params`, they are a JSON object (named parameters) or `null`. No ACP method uses positional arrays.",
    spec: "schema ClientRequest/properties/params",
    remedy: "Send params as an object.",
  },
  "RPC-11 both FACT schema": {
    rule: "In the schema of the envelope, `params` is optional and nullable. For methods whose parameters are all optional (`logout`, `session/list`), a receiver should read absent or `null` `params` as `{}`, and a sender should send `{}`.",
    untested: { client: mainlyAgents },
  },
  "RPC-12 both FACT docs, later page":
    "In version 1, peers send individual messages and never JSON-RPC batches (arrays). Version 1 does not specify the response to a batch.",
  "RPC-13 both MUST json-rpc": {
    rule: "A peer responds to input that is not valid JSON with the error `-32700` and `id:null`.",
    spec: "json-rpc response_object: If there was an error in detecting the id in the Request object (e.g. Parse error/Invalid Request), it MUST be Null.",
    official: { "ACP-INFO-PARSE-001": "informational" },
  },
  "RPC-14 both MUST json-rpc": {
    rule: "A peer responds to valid JSON that is not a valid request object with the error `-32600`. The error has the `id` of the message if it could be read, otherwise `null`.",
    spec: "json-rpc error_object: The JSON sent is not a valid Request object.",
    official: { "ACP-INFO-INVALIDREQ-001": "informational" },
  },
  "RPC-15 both MUST json-rpc, docs": {
    rule: "A peer responds to a request for a method that it does not know with the error `-32601`.",
    spec: "json-rpc error_object: The method does not exist / is not available.",
    official: { "ACP-JSONRPC-004": "advisory" },
  },
  "RPC-16 both SHOULD docs, json-rpc": "A peer ignores a notification with an unknown method.",
  "RPC-17 both FACT derived, json-rpc":
    "A peer drops a response whose id matches no open request. It does not respond to it, and does not close the connection.",
  "RPC-18 both FACT docs, schema": {
    rule: "Property names of ACP are camelCase, values of discriminators are snake_case, and the members of the envelope follow JSON-RPC. The schema states every deviation: `_meta`, `$/cancel_request`, the W3C trace keys, and the ids of permission options, which are free text.",
    official: { "ACP-SCHEMA-001": "mandatory" },
  },
  "RPC-19 both FACT schema":
    "The objects of the schema are open; it has no `additionalProperties:false`. An unknown property does not make a message of a known type invalid, and the receiver ignores it.",
  "RPC-20 both FACT json-rpc":
    "Method names with the prefix `rpc.` belong to JSON-RPC, `$/` to notifications of the protocol level, `_` to extensions, and all others to ACP.",
});
