import { type AgentScript, agentScript, type ScriptedAgent } from "@acp-kit/testing";
import { onTestFinished } from "vitest";
import { type AgentStore, type AgentStoreOptions, createAgentStore } from "../src/index.js";

/** A store whose agent is a script, and the connections that it has opened. */
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

/** How often the connections of a store received a method. */
export const count = (agents: readonly ScriptedAgent[], method: string): number =>
  agents.reduce((sum, agent) => sum + agent.receivedSoFar(method).length, 0);
