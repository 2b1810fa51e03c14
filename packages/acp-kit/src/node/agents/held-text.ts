import type { InstalledAgent } from "@acp-kit/registry";

/** Says why `agents update` skips an agent (the user chose its version), and how to allow updates again. */
export function heldText({ id, version, heldBy }: Pick<InstalledAgent, "id" | "version" | "heldBy">): string {
  const cause = heldBy === "rollback" ? `agents rollback ${id}` : `agents install ${id}@${version}`;
  return `version chosen by \`acp-kit ${cause}\`; to allow updates again: acp-kit agents install ${id}`;
}
