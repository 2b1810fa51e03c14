import { defineFeatureRules, defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents, permitted, severalSessions } from "../../requirements/untested.js";

/** The rules for cancelling a turn and for cancelling a single request. */
export const cancellationRules: readonly Requirement[] = [
  ...defineRules({
    "CANCEL-01 client MAY docs": "The client may send `session/cancel {sessionId}` at any time during a turn.",
    "CANCEL-02 client MUST docs, schema": {
      rule: "The client sends `session/cancel` as a notification, without an `id`.",
      spec: "page prompt-turn#cancellation: Clients MAY cancel an ongoing prompt turn at any time by sending a session/cancel notification:",
      remedy: "Send session/cancel without an id.",
    },
    "CANCEL-03 client SHOULD docs; review":
      "When the client sends `session/cancel`, it immediately marks the unfinished tool calls of the turn as cancelled in its UI. This is not a status on the wire.",
    "CANCEL-04 client MUST docs, schema": {
      rule: "On cancelling a turn, the client responds to every pending `session/request_permission` of that session with the outcome `cancelled`.",
      spec: "page prompt-turn#cancellation: The Client MUST respond to all pending session/request_permission requests with the cancelled outcome.",
      remedy:
        "Keep the open permission requests of each session, and respond to all of them with the outcome cancelled when you cancel.",
    },
    "CANCEL-05 agent SHOULD docs; harness": "The agent stops model requests and tool executions as soon as possible.",
    "CANCEL-06 agent MUST docs, schema": {
      rule: 'After the agent has aborted the work and sent the pending updates, it responds to the open `session/prompt` with `stopReason:"cancelled"`.',
      spec: "page prompt-turn#cancellation: After all ongoing operations have been successfully aborted and pending updates have been sent, the Agent MUST respond to the original session/prompt request with the cancelled stop reason.",
      remedy:
        "Record that session/cancel arrived. End the turn with the stop reason cancelled, even if the aborted work returned a result or an error.",
      official: { "ACP-CANCEL-001": "mandatory" },
    },
    "CANCEL-07 agent MUST docs, schema": {
      rule: "The agent never responds to a cancelled prompt with an error. It catches exceptions of aborted operations and responds with the stop reason `cancelled`.",
      spec: "schema StopReason/oneOf/4: This stop reason MUST be returned when the client sends a `session/cancel` notification, even if the cancellation causes exceptions in underlying operations.",
      remedy: "Catch the exceptions of aborted work, and respond to the prompt with the stop reason cancelled.",
      official: { "ACP-CANCEL-001": "mandatory" },
    },
    "CANCEL-08 agent MUST docs": {
      rule: "The agent may send further updates after `session/cancel`, but only **before** its response to the prompt.",
      spec: "page prompt-turn#cancellation: The Agent MAY send session/update notifications with content or tool call updates after receiving the session/cancel notification, but it MUST ensure that it does so before responding to the session/prompt request.",
      remedy: "Send all updates of a cancelled turn before you respond to its prompt.",
      official: { "ACP-CANCEL-002": "mandatory" },
    },
    "CANCEL-09 client SHOULD docs, schema":
      "The client still accepts tool-call updates that it receives after it sent `session/cancel`.",
    "CANCEL-10 agent FACT derived": "`session/cancel` affects only the session that it names.",
    "CANCEL-11 agent FACT derived":
      "If no turn runs, or the session is unknown, `session/cancel` has no effect and gets no response. It does not cancel a later prompt.",
    "CANCEL-12 both FACT docs": {
      rule: "The session stays usable after a cancelled turn.",
      untested: { client: severalSessions },
    },
    "CANCEL-13 both FACT derived":
      "If a prompt finishes before the agent receives `session/cancel`, the response may have its regular stop reason. Only a `session/cancel` that the agent receives while the turn runs requires `cancelled`.",
    "CANCEL-14 agent FACT docs":
      "The agent may also send `$/cancel_request` for its own open requests to the client, for example of a terminal or an elicitation.",
    "CANCEL-15 client FACT docs":
      "The pages contradict each other: the cascade example responds to a permission request with `-32800`, and CANCEL-04 demands the outcome `cancelled`. The client should send the outcome, and the agent should accept both.",
  }),
  ...defineFeatureRules("$/cancel_request", {
    "CANCEL-16 both MAY docs, schema": {
      rule: "With `$/cancel_request {requestId}`, a peer may ask the other peer to cancel a request that it sent itself. Support is optional.",
      untested: { client: permitted },
    },
    "CANCEL-17 both FACT rfd":
      "`$/cancel_request` is a notification. A peer may ignore an unsupported or unknown `$/...` notification without an error.",
    "CANCEL-18 both MUST docs, schema": {
      rule: "A receiver that supports `$/cancel_request` still responds to the original request: with a valid result, which may be partial, or with the error `-32800`.",
      spec: "document docs/protocol/draft/cancellation.mdx@4067fbfd protocol/v1/cancellation: MUST send one of these responses for the original request: A valid response with appropriate data (such as partial results or cancellation marker) … An error response with code -32800",
      remedy: "Respond to a cancelled request with its result so far, or with the error -32800. Never leave it open.",
    },
    "CANCEL-19 both MAY docs, schema": {
      rule: "The receiver of `$/cancel_request` may cancel nested work, and may send pending notifications first. The RFD says that it MUST cancel the activity and nested activities; the pages and the schema say MAY.",
      untested: { client: permitted },
    },
    "CANCEL-20 both FACT rfd":
      "The receiver ignores `$/cancel_request` with an unknown `requestId`, or for a request that it has already responded to. A request that finished first keeps its normal response.",
    "CANCEL-21 both FACT schema":
      "`requestId` has the same JSON type as the `id` of the request (null, integer or string), and matches it exactly.",
    "CANCEL-22 both SHOULD docs": {
      rule: "A peer that cancels a request for its own reasons responds with `-32800`, too, and behaves in the same way. Examples: the client closes a file, the agent reaches a timeout, a peer shuts down.",
      untested: { client: "It needs a cancellation inside the client, which no message can cause." },
    },
    "CANCEL-23 both MAY docs": {
      rule: "The sender of `$/cancel_request` may wait for the response to the cancelled request. It is prepared for a success, for `-32800`, and for no effect at all if the receiver does not support cancellation.",
      untested: { client: permitted },
    },
    "CANCEL-24 agent FACT derived":
      'The agent may respond to a `session/prompt` that `$/cancel_request` cancelled with `stopReason:"cancelled"` or with `-32800`. After `session/cancel`, only `stopReason:"cancelled"` is conformant.',
  }),
  ...defineRules({
    "CANCEL-25 client FACT derived; harness": {
      rule: "The cancellation of a turn does not release terminals. The agent still has to send `terminal/release`.",
      untested: { client: mainlyAgents },
    },
  }),
];
