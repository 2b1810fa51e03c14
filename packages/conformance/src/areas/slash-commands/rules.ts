import { defineFeatureRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { notVisible } from "../../requirements/untested.js";

/** The rules for slash commands. */
export const slashCommandsRules: readonly Requirement[] = defineFeatureRules("slash commands", {
  "CMD-01 agent MAY docs":
    "After the agent has created a session, it may send `available_commands_update {availableCommands[]}`.",
  "CMD-02 agent MUST schema": {
    rule: "The agent sends `name` and `description` with a command, and optionally `input: {hint}`. All text after the name is the input.",
    spec: "schema AvailableCommand/required",
    remedy: "Send name and description with every command.",
  },
  "CMD-03 both FACT docs, schema": {
    rule: "The agent may send the update again at any time. Each update is the new complete list.",
    untested: { client: notVisible },
  },
  "CMD-04 client FACT docs": {
    rule: "To invoke a command, the client sends an ordinary `session/prompt` whose text starts with `/name`, followed by the arguments.",
    untested: { client: "It needs a person who types a slash command; the client then sends an ordinary prompt." },
  },
  "CMD-05 agent FACT docs": "The agent recognises the prefix. The same prompt may have other blocks.",
});
