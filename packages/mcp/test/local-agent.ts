import { linkedTransports } from "@acp-kit/jsonrpc";
import { type Json, ScriptedAgent } from "./agent.js";

/** A scripted agent that counts as one on this machine. */
export function localAgent(mcpCapabilities: Json, command = "agent"): ScriptedAgent {
  const [near, far] = linkedTransports();
  return new ScriptedAgent(mcpCapabilities, [Object.assign(near, { command }), far]);
}
