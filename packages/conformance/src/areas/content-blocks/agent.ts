import type { AgentCheck } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { tourStop } from "../../agent/tour-stop.js";

/** The checks of agents: content blocks. */
export const contentBlocksAgentChecks: readonly AgentCheck[] = [
  tourStop("content", ["CONT-05"], "may respond with content blocks of any kind", "agent_message_chunk"),
  schemaWatch(
    "content-blocks",
    ["CONT-01", "CONT-03", "CONT-08", "MSG-01"],
    "Content blocks match the schema",
    update("user_message_chunk", "agent_message_chunk", "agent_thought_chunk"),
  ),
];
