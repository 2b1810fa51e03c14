import type { InstalledAgent } from "@acp-kit/registry";

/** Formats the reason why `agents update` keeps the version of an agent, and the command after which `agents update` updates the agent again. */
export function heldText({ id, version, heldBy }: Pick<InstalledAgent, "id" | "version" | "heldBy">): string {
  const cause = heldBy === "rollback" ? `agents rollback ${id}` : `agents install ${id}@${version}`;
  return `version chosen by \`acp-kit ${cause}\`; to allow updates again: acp-kit agents install ${id}`;
}
