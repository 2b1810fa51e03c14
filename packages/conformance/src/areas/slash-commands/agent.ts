import type { AgentCheck } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { isUpdate, tourStop } from "../../agent/tour-stop.js";

/** The checks of agents: slash commands. */
export const slashCommandsAgentChecks: readonly AgentCheck[] = [
  tourStop({
    purpose: "commands",
    title: "may change its commands",
    verifies: ["CMD-03"],
    shows: isUpdate("available_commands_update"),
  }),
  schemaWatch("commands", "Slash commands match the schema", ["CMD-02"], update("available_commands_update")),
];
