import { defineFeatureRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";

/** The rules for session modes. */
export const modesRules: readonly Requirement[] = defineFeatureRules("modes", {
  "MODE-01 agent MAY docs": {
    rule: "The agent may include `modes {currentModeId, availableModes[]}` in the results of `session/new`, `session/load` and `session/resume`. A mode has `id`, `name` and optionally `description`.",
    official: { "ACP-MODES-001": "capability" },
  },
  "MODE-02 client FACT docs":
    "In `session/set_mode {sessionId, modeId}`, the client sends a `modeId` of `availableModes`.",
  "MODE-03 agent FACT docs, schema": {
    rule: "The agent responds to a successful `session/set_mode` with `{}`.",
    official: { "ACP-MODES-002": "capability" },
  },
  "MODE-04 agent FACT later page": "The agent responds to an unknown mode id with `-32602`.",
  "MODE-05 both FACT docs": "The mode may change at any time, whether a turn runs or not.",
  "MODE-06 agent MAY docs":
    "The agent may change the mode itself, and reports the change with `current_mode_update {currentModeId}`. An example of the pages has `modeId`, which is wrong by the schema.",
  "MODE-07 agent FACT docs":
    "To leave a plan mode, the agent usually calls a tool of the kind `switch_mode`, which requests permission; the options may stand for modes. Then the agent sends `current_mode_update`.",
});
