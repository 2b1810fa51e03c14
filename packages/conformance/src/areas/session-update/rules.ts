import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { notVisible } from "../../requirements/untested.js";

/** The rules for all kinds of `session/update`. */
export const sessionUpdateRules: readonly Requirement[] = defineRules({
  "UPD-01 agent MUST schema": {
    rule: "The agent sends `session/update` as a notification with `params {sessionId, update}`. `update.sessionUpdate` names the variant.",
    spec: "schema SessionNotification/required",
    remedy: "Send session/update without an id, with sessionId and update.",
    official: { "ACP-PROMPT-002": "mandatory" },
  },
  "UPD-02 agent FACT schema":
    "The stable variants of Nov 2026 are `user_message_chunk`, `agent_message_chunk`, `agent_thought_chunk`, `tool_call`, `tool_call_update`, `plan`, `available_commands_update`, `current_mode_update`, `config_option_update`, `session_info_update`, `usage_update`, `notice`, `compaction_update` and `compaction_summary_chunk`. The last three are new since Aug 2026.",
  "UPD-03 client FACT rfd, derived":
    "The union of version 1 is closed. A typed client may drop a notification with an unknown `sessionUpdate`, but must not fail the session.",
  "UPD-04 client FACT docs, derived":
    "Updates may also arrive outside a turn: commands, mode, config options, session info, usage, notices, and late updates of tool calls.",
  "UPD-05 client FACT derived": {
    rule: "The client applies the updates of a session in the order in which it receives them.",
    untested: { client: notVisible },
  },
  "UPD-06 client FACT derived":
    "An update may arrive before the response to the `session/new` or `session/load` of its session; on `session/load` it always does. The client should buffer these updates by `sessionId`.",
});
