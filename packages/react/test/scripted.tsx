import { type AgentScript, agentScript, type ScriptedAgent } from "@acp-kit/testing";
import { onTestFinished } from "vitest";
import { type AgentStore, type AgentStoreOptions, createAgentStore } from "../src/index.js";

/** Creates a store whose agent follows a script, and a list of the connections that the store opens. */
export function scripted(
  script: AgentScript = agentScript(),
  options: AgentStoreOptions = {},
): { readonly store: AgentStore; readonly agents: ScriptedAgent[] } {
  const agents: ScriptedAgent[] = [];
  const store = createAgentStore(() => {
    const agent = script.inMemory();
    agents.push(agent);
    return agent.transport;
  }, options);
  onTestFinished(async () => {
    await store.close();
    for (const agent of agents) await agent.close();
  });
  return { store, agents };
}

/** Returns how many messages with a method the connections of a store have received. */
export const count = (agents: readonly ScriptedAgent[], method: string): number =>
  agents.reduce((sum, agent) => sum + agent.receivedSoFar(method).length, 0);
