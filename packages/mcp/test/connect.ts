import { type AgentConnection, type ConnectAgentOptions, connectAgent, type Diagnostic } from "@acp-kit/client";
import { type McpSourceOf, serveMcp } from "@acp-kit/mcp";
import { type Json, ScriptedAgent } from "./agent.js";

export interface Pair {
  readonly agent: ScriptedAgent;
  readonly client: AgentConnection;
  readonly diagnostics: Diagnostic[];
}

/** Connects a client that serves `sources` with a scripted agent. */
export async function connect({
  sources,
  capabilities,
  agent = new ScriptedAgent(capabilities),
  ...options
}: {
  readonly sources: readonly McpSourceOf[];
  readonly capabilities?: Json;
  readonly agent?: ScriptedAgent;
} & ConnectAgentOptions): Promise<Pair> {
  const diagnostics: Diagnostic[] = [];
  const client = await connectAgent(agent.client, {
    mcp: serveMcp(...sources),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  return { agent, client, diagnostics };
}
