import { isObject, member } from "../wire/values.js";
import type { AgentContext, ReadyAgent } from "./agent-context.js";

/** Returns whether a capability is advertised: its value is `true` or an object. */
export function offers(agent: Pick<ReadyAgent, "capabilities">, ...path: readonly string[]): boolean {
  const value = member(agent.capabilities, ...path);
  return value === true || isObject(value);
}

/** Skips if the agent does not advertise a capability. */
export function needsCapability(context: AgentContext, agent: ReadyAgent, ...path: readonly string[]): void {
  if (!offers(agent, ...path)) context.skip(`the agent doesn't advertise agentCapabilities.${path.join(".")}`);
}
