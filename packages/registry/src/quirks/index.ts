import type { AgentQuirks, LaunchQuirk } from "./agent-quirks.js";
import { launchQuirks } from "./launch-quirks.js";
import rows from "./quirks.json" with { type: "json" };
import { isInRange } from "./version-range.js";

export type { AgentQuirks, FeatureQuirk, LaunchQuirk, LoginQuirk } from "./agent-quirks.js";
export { isInRange, launchQuirks };

/** How agents differ from the protocol, by versions. `acp-kit doctor --matrix` measures and writes them. */
export const agentQuirks: readonly AgentQuirks[] = rows;

/**
 * Returns the row whose range contains a version of an agent, or else the agent's newest row, because most quirks stay
 * the same in later versions. Returns `undefined` if the agent was never measured.
 *
 * @param agent - the id in the registry.
 */
export function quirksOf(agent: string, version?: string): AgentQuirks | undefined {
  const own = agentQuirks.filter((row) => row.agent === agent);
  return own.find(({ versions }) => version !== undefined && isInRange(version, versions)) ?? own.at(-1);
}

/** Returns the launch quirks of a version of an agent. Without a version: those of all versions. */
export function launchQuirksOf(agent: string, version?: string): readonly LaunchQuirk[] {
  return launchQuirks.filter((each) => each.agent === agent && isInRange(version ?? "", each.versions));
}
