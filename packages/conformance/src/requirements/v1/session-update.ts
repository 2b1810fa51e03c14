import type { Requirement } from "../requirement.js";

/** The rules for all kinds of `session/update`. */
export const sessionUpdateRequirements: readonly Requirement[] = [
  {
    id: "UPD-01",
    level: "MUST",
    binds: "agent",
    observability: "wire",
    sources: ["schema"],
    officialIds: ["ACP-PROMPT-002"],
    rule: "The agent sends `session/update` as a notification with `params {sessionId, update}`. `update.sessionUpdate` names the variant.",
  },
  {
    id: "UPD-02",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["schema"],
    rule: "The stable variants of Nov 2026 are `user_message_chunk`, `agent_message_chunk`, `agent_thought_chunk`, `tool_call`, `tool_call_update`, `plan`, `available_commands_update`, `current_mode_update`, `config_option_update`, `session_info_update`, `usage_update`, `notice`, `compaction_update` and `compaction_summary_chunk`. The last three are new since Aug 2026.",
  },
  {
    id: "UPD-03",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["rfd", "derived"],
    rule: "The union of version 1 is closed. A typed client may drop a notification with an unknown `sessionUpdate`, but must not fail the session.",
  },
  {
    id: "UPD-04",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["docs", "derived"],
    rule: "Updates may also arrive outside a turn: commands, mode, config options, session info, usage, notices, and late updates of tool calls.",
  },
  {
    id: "UPD-05",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["derived"],
    rule: "The client applies the updates of a session in the order in which it receives them.",
  },
  {
    id: "UPD-06",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["derived"],
    rule: "An update may arrive before the response to the `session/new` or `session/load` of its session; on `session/load` it always does. The client should buffer these updates by `sessionId`.",
  },
];
