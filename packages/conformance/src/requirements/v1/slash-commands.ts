import type { Requirement } from "../requirement.js";

/** Slash commands. */
export const slashCommandsRequirements: readonly Requirement[] = [
  {
    id: "CMD-01",
    level: "MAY",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "slash commands",
    rule: "After session creation the agent may send `available_commands_update {availableCommands[]}`.",
  },
  {
    id: "CMD-02",
    level: "MUST",
    binds: "agent",
    observability: "wire",
    sources: ["schema"],
    feature: "slash commands",
    rule: "A command has `name` and `description`; `input?: {hint}` (all text after the name is the input).",
  },
  {
    id: "CMD-03",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["docs", "schema"],
    feature: "slash commands",
    rule: "May be resent at any time; each update is the new complete list.",
  },
  {
    id: "CMD-04",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["docs"],
    feature: "slash commands",
    rule: "Invocation is an ordinary `session/prompt` whose text starts with `/name`, followed by the arguments.",
  },
  {
    id: "CMD-05",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "slash commands",
    rule: "The agent recognises the prefix; other blocks may accompany it in the same prompt.",
  },
];
