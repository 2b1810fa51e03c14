import type semver from "semver";
import type { AgentRegistry } from "../catalog/agent-registry.js";
import type { InstalledAgent, InstallStore } from "./install-store.js";

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
export async function planUpdates(registry: AgentRegistry, store: InstallStore): Promise<readonly AgentUpdate[]> {
  const { default: versions } = await import("semver");
  return (await store.list()).map((installed) => {
    const { id, entryVersion, isHeld } = installed;
    const offered = registry.get(id)?.agent.version;
    return { id, installed, offered, change: changeOf(entryVersion, offered, isHeld, versions) };
  });
}

function changeOf(
  installed: string,
  offered: string | undefined,
  isHeld: boolean,
  { parse, lt }: typeof semver,
): AgentUpdate["change"] {
  if (offered === undefined) return "gone";
  if (offered === installed) return "none";
  if (isHeld) return "held";
  const [now, next] = [parse(installed, { loose: true }), parse(offered, { loose: true })];
  return now !== null && next !== null && lt(next, now) ? "downgrade" : "update";
}
