import type { AgentCheck } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { isUpdate, tourStop } from "../../agent/tour-stop.js";

/** The checks of agents: content blocks. */
export const contentBlocksAgentChecks: readonly AgentCheck[] = [
  tourStop({
    purpose: "content",
    title: "may respond with content blocks of any kind",
    verifies: ["CONT-05"],
    shows: isUpdate("agent_message_chunk"),
  }),
  schemaWatch(
    "content-blocks",
    "Content blocks match the schema",
    ["CONT-01", "CONT-03", "CONT-08", "MSG-01"],
    update("user_message_chunk", "agent_message_chunk", "agent_thought_chunk"),
  ),
];
