import type { InstalledAgent } from "@acp-kit/registry";

/** Formats the reason why `agents update` keeps the version of an agent, and the command that ends the hold. */
export function heldText({ id, version, heldBy }: Pick<InstalledAgent, "id" | "version" | "heldBy">): string {
  const cause = heldBy === "rollback" ? `agents rollback ${id}` : `agents install ${id}@${version}`;
  return `held by \`acp-kit ${cause}\`; to release it: acp-kit agents install ${id}`;
}
