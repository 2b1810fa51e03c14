import { defineRules } from "../../requirements/define-rules.js";
import { ifAgentHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents, permitted, severalSessions } from "../../requirements/untested.js";

/** The rules for `session/prompt` and the turn that it starts. */
export const promptTurnRules: readonly Requirement[] = defineRules({
  "PROMPT-01 client MUST docs": {
    rule: "The client initializes the connection and sets up the session before it sends the first prompt.",
    spec: "page prompt-turn: Before sending prompts, Clients MUST first complete the initialization phase and session setup.",
    remedy:
      "Send session/prompt only after the responses to initialize and to session/new, session/load or session/resume.",
  },
  "PROMPT-02 client MUST schema": {
    rule: "The client sends `sessionId` and `prompt`, an array of content blocks, with `session/prompt`.",
    spec: "schema PromptRequest/required",
    remedy: "Send sessionId and prompt, a list of content blocks, with session/prompt.",
  },
  "PROMPT-03 client MUST docs, schema": {
    rule: "The client puts only content types into a prompt that `promptCapabilities` allows, and adapts its UI.",
    spec: "page prompt-turn#1-user-message: Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.",
    brokenBy: ["CAP-10", "CAP-11", "CAP-12"],
    remedy: ifAgentHas("image, audio and resource blocks", "promptCapabilities allows them"),
  },
  "PROMPT-04 agent MUST docs, schema": {
    rule: "The agent always accepts `text` and `resource_link` blocks.",
    spec: "schema PromptRequest/properties/prompt: As a baseline, the Agent MUST support `text` and `resource_link` content blocks, while other variants are optionally enabled via `PromptCapabilities`.",
    official: { "ACP-PROMPT-003": "advisory" },
  },
  "PROMPT-05 client MAY schema": {
    rule: "The client may send context as `resource` or as `resource_link`. It should prefer `resource` if the agent advertises `embeddedContext`, because this saves a round trip.",
    untested: { client: permitted },
  },
  "PROMPT-06 agent FACT docs": "The agent streams its output as `session/update` notifications of the same session.",
  "PROMPT-07 agent MUST docs": {
    rule: "When no tool call is pending and the model has finished, the agent responds to the prompt with `{stopReason}`.",
    spec: "page prompt-turn#4-check-for-completion: If there are no pending tool calls, the turn ends and the Agent MUST respond to the original session/prompt request with a StopReason:",
    remedy: "Respond to session/prompt with a stopReason when the turn has ended.",
  },
  "PROMPT-08 agent MUST docs, schema": {
    rule: "The agent sends one of the five values of `stopReason` in version 1: `end_turn`, `max_tokens`, `max_turn_requests`, `refusal` or `cancelled`. The set is closed.",
    spec: "page prompt-turn#stop-reasons: When an Agent stops a turn, it must specify the corresponding StopReason:",
    remedy:
      "End turns with one of the five stop reasons of version 1. Report an error of the model as an error response.",
    official: { "ACP-PROMPT-001": "mandatory" },
  },
  "PROMPT-09 agent FACT docs, schema":
    "`end_turn` means that the model finished without requesting more tools, `max_tokens` that the token limit was reached, `max_turn_requests` that the turn had too many model requests, `refusal` that the agent declines to continue, and `cancelled` that the client cancelled the turn.",
  "PROMPT-10 agent MAY docs": "The agent may stop at any point, with the stop reason that applies.",
  "PROMPT-11 both FACT schema": {
    rule: "After `refusal`, the agent leaves the prompt and all later messages out of the context of the next prompt. The UI of the client should reflect that.",
    untested: { client: mainlyAgents },
  },
  "PROMPT-12 agent FACT docs, derived":
    "The agent sends the updates of a turn before its response to the prompt. This is a MUST for cancelled turns (CANCEL-08), and clients rely on it in general.",
  "PROMPT-13 both FACT docs": "After a turn has ended, the client may send another prompt. The context accumulates.",
  "PROMPT-14 both FACT derived":
    "Version 1 **does not specify** a second `session/prompt` on a session whose turn still runs. Existing agents respond with the error `-32600` or `-32603`, queue the prompt, steer the running turn, or respond with `refusal`. The client should wait or cancel; the agent must respond to both requests and keep the first turn intact.",
  "PROMPT-15 both FACT docs": {
    rule: "Different sessions may run turns at the same time.",
    untested: { client: severalSessions },
  },
  "PROMPT-16 agent FACT derived, later page":
    "A content block whose capability the agent did not advertise, or whose `type` is unknown, is an error of the client. This package recommends that the agent responds with `-32602`.",
  "PROMPT-17 agent FACT schema": {
    rule: "An empty `prompt` array is valid in the schema of version 1, which does not specify its effect. Version 2 forbids it.",
    tier: { is: "informational", because: "Version 1 leaves the effect of an empty prompt open." },
  },
  "PROMPT-18 agent FACT docs":
    "The agent reports a genuine failure of the turn as a JSON-RPC error response. A cancellation is not a failure.",
  "PROMPT-19 agent FACT derived":
    "An agent of version 1 need not send the user's prompt back as `user_message_chunk`. That variant is necessary for replay.",
  "PROMPT-20 agent SHOULD docs":
    "Inside a turn, the agent handles each tool call in this order: it reports the call, requests permission if necessary, reports `in_progress`, runs the tool, reports the final status, and passes the result to the model.",
  "PROMPT-21 agent MAY docs":
    "While the agent runs tools, it may use capabilities of the client (`fs/*`, `terminal/*`).",
  "PROMPT-22 client FACT schema":
    "The enum is closed and strict: a response with an unknown or missing `stopReason` does not decode. The client should treat the turn as finished for an unknown reason, rather than wait forever.",
});
