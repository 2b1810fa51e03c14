import type { AgentCheck } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { tourStop } from "../../agent/tour-stop.js";

/** The checks of agents: slash commands. */
export const slashCommandsAgentChecks: readonly AgentCheck[] = [
  tourStop("commands", ["CMD-03"], "may change its commands", "available_commands_update"),
  schemaWatch("commands", ["CMD-02"], "Slash commands match the schema", update("available_commands_update")),
];
