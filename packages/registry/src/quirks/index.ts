import type { AgentQuirks, LaunchQuirk } from "./agent-quirks.js";
import { launchQuirks } from "./launch-quirks.js";
import rows from "./quirks.json" with { type: "json" };
import { isInRange } from "./version-range.js";

export type { AgentQuirks, FeatureQuirk, LaunchQuirk, LoginQuirk } from "./agent-quirks.js";
export { isInRange, launchQuirks };

/** The measured agents, one row for each agent and range of versions. `acp-kit doctor --matrix` measures them. */
export const agentQuirks: readonly AgentQuirks[] = rows;

/**
 * Returns the row for a version of an agent: the one whose range has it, else the agent's newest row, because most quirks outlive versions.
 * `undefined` if the agent was never measured.
 *
 * @param agent - the id in the registry.
 */
export function quirksOf(agent: string, version?: string): AgentQuirks | undefined {
  const own = agentQuirks.filter((row) => row.agent === agent);
  return own.find(({ versions }) => version !== undefined && isInRange(version, versions)) ?? own.at(-1);
}

/** Returns what is special about starting a version of an agent. Without a version, only what holds for all of them. */
export function launchQuirksOf(agent: string, version?: string): readonly LaunchQuirk[] {
  return launchQuirks.filter((each) => each.agent === agent && isInRange(version ?? "", each.versions));
}
