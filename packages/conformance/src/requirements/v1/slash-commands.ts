import type { Requirement } from "../requirement.js";

/** The rules for slash commands. */
export const slashCommandsRequirements: readonly Requirement[] = [
  {
    id: "CMD-01",
    level: "MAY",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "slash commands",
    rule: "After the agent has created a session, it may send `available_commands_update {availableCommands[]}`.",
  },
  {
    id: "CMD-02",
    level: "MUST",
    binds: "agent",
    observability: "wire",
    sources: ["schema"],
    feature: "slash commands",
    rule: "The agent sends `name` and `description` with a command, and optionally `input: {hint}`. All text after the name is the input.",
  },
  {
    id: "CMD-03",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["docs", "schema"],
    feature: "slash commands",
    rule: "The agent may send the update again at any time. Each update is the new complete list.",
  },
  {
    id: "CMD-04",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["docs"],
    feature: "slash commands",
    rule: "To invoke a command, the client sends an ordinary `session/prompt` whose text starts with `/name`, followed by the arguments.",
  },
  {
    id: "CMD-05",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "slash commands",
    rule: "The agent recognises the prefix. The same prompt may have other blocks.",
  },
];
