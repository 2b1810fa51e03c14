import type semver from "semver";
import type { AgentRegistry } from "../catalog/agent-registry.js";
import type { RegistryAgent } from "../catalog/registry-document.js";
import type { InstalledAgent, InstallStore } from "./install-store.js";
import { isVersion } from "./install-version.js";

/** The planned change of one installed agent. */
export interface AgentUpdate {
  readonly id: string;
  readonly installed: InstalledAgent;
  /** The version in the registry; `undefined` if the registry no longer has the agent. */
  readonly offered: string | undefined;
  /**
   * - `update`: the registry has a later version, or another package or download of the installed version.
   * - `downgrade`: the registry has an earlier version. Install an earlier version only if the user requests that.
   * - `none`: the registry has the installed version.
   * - `held`: the registry has another version, package or download, but the user chose the installed version.
   * - `gone`: the registry no longer has the agent.
   */
  readonly change: "update" | "downgrade" | "none" | "held" | "gone";
}

/** Returns the changes that an update of all installed agents would make. Installs nothing. */
export async function planUpdates(registry: AgentRegistry, store: InstallStore): Promise<readonly AgentUpdate[]> {
  const { default: versions } = await import("semver");
  return (await store.list()).map((installed) => {
    const agent = registry.get(installed.id)?.agent;
    return { id: installed.id, installed, offered: agent?.version, change: changeOf(installed, agent, versions) };
  });
}

function changeOf(
  installed: InstalledAgent,
  agent: RegistryAgent | undefined,
  { parse, lt }: typeof semver,
): AgentUpdate["change"] {
  if (agent === undefined) return "gone";
  if (isVersion(agent, installed, {})) return "none";
  if (installed.heldBy !== undefined) return "held";
  const [now, next] = [parse(installed.entryVersion, { loose: true }), parse(agent.version, { loose: true })];
  return now !== null && next !== null && lt(next, now) ? "downgrade" : "update";
}
