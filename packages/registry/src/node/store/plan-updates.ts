import semver from "semver";
import type { AgentRegistry } from "../catalog/agent-registry.js";
import type { AgentStore, InstalledAgent } from "./agent-store.js";

/** What an update would do with one installed agent. */
export interface AgentUpdate {
  readonly id: string;
  readonly installed: InstalledAgent;
  /** The version that the registry offers; `undefined` if it has the agent no more. */
  readonly offered: string | undefined;
  /**
   * - `update`: the registry offers a later version.
   * - `downgrade`: it offers an earlier one; it is installed only on request.
   * - `none`: it offers the installed version.
   * - `held`: the user chose this version.
   * - `gone`: the registry has the agent no more.
   */
  readonly change: "update" | "downgrade" | "none" | "held" | "gone";
}

/** Returns what an update of all installed agents would change. It installs nothing. */
export async function planUpdates(registry: AgentRegistry, store: AgentStore): Promise<readonly AgentUpdate[]> {
  return (await store.list()).map((installed) => {
    const { id, entryVersion, isHeld } = installed;
    const offered = registry.get(id)?.agent.version;
    return { id, installed, offered, change: changeOf(entryVersion, offered, isHeld) };
  });
}

function changeOf(installed: string, offered: string | undefined, isHeld: boolean): AgentUpdate["change"] {
  if (offered === undefined) return "gone";
  if (offered === installed) return "none";
  if (isHeld) return "held";
  const [now, next] = [semver.parse(installed, { loose: true }), semver.parse(offered, { loose: true })];
  return now !== null && next !== null && semver.lt(next, now) ? "downgrade" : "update";
}
