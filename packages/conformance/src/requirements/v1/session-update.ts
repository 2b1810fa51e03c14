import type { Requirement } from "../requirement.js";

/** `session/update` in general. */
export const sessionUpdateRequirements: readonly Requirement[] = [
  {
    id: "UPD-01",
    level: "MUST",
    binds: "agent",
    observability: "wire",
    sources: ["schema"],
    officialIds: ["ACP-PROMPT-002"],
    rule: "`session/update` is a notification with `params {sessionId, update}`; `update.sessionUpdate` selects the variant.",
  },
  {
    id: "UPD-02",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["schema"],
    rule: "Variants (stable, Nov 2026): `user_message_chunk`, `agent_message_chunk`, `agent_thought_chunk`, `tool_call`, `tool_call_update`, `plan`, `available_commands_update`, `current_mode_update`, `config_option_update`, `session_info_update`, `usage_update`, `notice`, `compaction_update`, `compaction_summary_chunk`. The last three are new since Aug 2026.",
  },
  {
    id: "UPD-03",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["rfd", "derived"],
    rule: "The v1 union is closed: a typed client may drop a notification with an unknown `sessionUpdate`, but must not fail the session.",
  },
  {
    id: "UPD-04",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["docs", "derived"],
    rule: "Updates may also arrive outside a turn (commands, mode, config, info, usage, notices; late tool updates).",
  },
  {
    id: "UPD-05",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["derived"],
    rule: "Updates for one session are applied in receive order.",
  },
  {
    id: "UPD-06",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["derived"],
    rule: "An update may arrive before the response of the `session/new`/`load` that introduces the session; on load it always does. Buffer by `sessionId`.",
  },
];
