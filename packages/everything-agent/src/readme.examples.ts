// #region spawn
import { everythingAgentCommand } from "@acp-kit/everything-agent/node";
import { type AgentProcess, spawnAgent } from "@acp-kit/stdio/node";

export function spawnEverythingAgent(): AgentProcess {
  return spawnAgent(everythingAgentCommand(["--pace", "0"])); // a transport: pass it to connectAgent
}

// #endregion spawn

// #region memory
import { linkedTransports, type Transport } from "@acp-kit/agent";
import { everythingAgent, memoryEverythingStore } from "@acp-kit/everything-agent";

export function everythingAgentInMemory(): Transport {
  const [ours, theirs] = linkedTransports();
  everythingAgent({ paceMs: 0, store: memoryEverythingStore() }).connect(theirs);
  return ours; // for connectAgent
}
// #endregion memory
