import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents, permitted } from "../../requirements/untested.js";

/** The rules for `session/request_permission`. */
export const permissionsRules: readonly Requirement[] = defineRules({
  "PERM-01 agent MAY docs": "The agent may request permission before it executes a tool call.",
  "PERM-02 agent MUST schema": {
    rule: "`session/request_permission` has `sessionId`, `toolCall` (in the shape of ToolCallUpdate, with `toolCallId`) and `options[]`, each option with `optionId`, `name` and `kind`.",
    spec: "schema RequestPermissionRequest/required",
    remedy: "Send sessionId, toolCall with its toolCallId, and options with optionId, name and kind each.",
  },
  "PERM-03 both FACT docs, schema": {
    rule: "`kind` is `allow_once`, `allow_always`, `reject_once` or `reject_always`. It is a hint for the UI; `*_always` means that the choice is remembered.",
    untested: { client: mainlyAgents },
  },
  "PERM-04 client MUST docs, schema": {
    rule: 'The client responds to a permission request with `{outcome:{outcome:"selected",optionId}}` or `{outcome:{outcome:"cancelled"}}`. The key `outcome` occurs on both levels.',
    spec: "schema RequestPermissionOutcome/oneOf/1: The user selected one of the provided options.",
    remedy:
      'Respond with { "outcome": { "outcome": "selected", "optionId" } } or { "outcome": { "outcome": "cancelled" } }. Both levels have the member outcome.',
  },
  "PERM-05 client MAY docs": {
    rule: "The client may allow or reject requests automatically, by the settings of the user.",
    untested: { client: permitted },
  },
  "PERM-06 client MUST docs, schema": {
    rule: "If the turn is cancelled while a permission request is pending, the client responds to it with the outcome `cancelled` (see CANCEL-04).",
    spec: "page prompt-turn#cancellation: The Client MUST respond to all pending session/request_permission requests with the cancelled outcome.",
    brokenBy: ["CANCEL-04"],
    remedy: "Respond to open permission requests with the outcome cancelled when the turn is cancelled.",
  },
  "PERM-07 agent FACT derived": {
    rule: "The agent does not execute the tool after `reject_*` or `cancelled`. It should treat an unknown `optionId` as not approved, which only version 2 states explicitly.",
    remedy: "Run the tool only if the selected option has the kind allow_once or allow_always.",
    tier: {
      is: "mandatory",
      because:
        "A tool that runs although the user rejected it endangers the user, and makes the permission request pointless.",
    },
  },
  "PERM-08 client FACT docs": "`session/request_permission` is a baseline method: every client implements it.",
  "PERM-09 client FACT schema":
    "`toolCall` may have the title, kind or content of a call that the agent has not reported before. The client applies it like an update.",
  "PERM-10 agent FACT derived": "Several permission requests may be open at once. Each of them gets its own response.",
  "PERM-11 both FACT schema":
    "The schema allows empty `options`, and version 1 does not specify their effect; version 2 forbids them. The only sensible response is the outcome `cancelled`.",
  "PERM-12 both FACT derived": {
    rule: "Version 1 does not specify which peer stores an `*_always` decision. After such a decision, the agent should not request the same permission again in the session.",
    untested: { client: permitted },
  },
  "PERM-13 client FACT schema":
    "`options` is decoded strictly since July 2026: an option with a missing member or an unknown `kind` makes the whole request malformed (`-32602`). The client does not drop that option alone.",
});
