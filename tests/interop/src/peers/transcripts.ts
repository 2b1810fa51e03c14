// Recorded conversations with real agents, in the folder `transcripts` of ACP_KIT_PEERS_KIT, or of a folder named
// `peers` in a folder beside the repository. They are not part of the repository.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { type Recording, readRecording } from "@acp-kit/testing/recording";

/** A recorded connection. */
export interface Transcript {
  readonly name: string;
  readonly recording: Recording;
}

/** All recorded connections; none, with a reason, if the folder does not exist. */
export function transcripts(): { readonly found: readonly Transcript[]; readonly reason: string } {
  const folder = [process.env.ACP_KIT_PEERS_KIT, ...besideThisProject()]
    .map((kit) => join(kit ?? "", "transcripts"))
    .find((path) => existsSync(path));
  const reason = "no recordings of real agents were found (ACP_KIT_PEERS_KIT)";
  if (folder === undefined) return { found: [], reason };
  const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  const found = files.map((name) => ({ name, recording: readRecording(readFileSync(join(folder, name), "utf8")) }));
  return { found, reason };
}

function besideThisProject(): string[] {
  const parent = dirname(root.replace(/[\\/]$/, ""));
  try {
    const folders = readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return folders.map(({ name }) => join(parent, name, "peers"));
  } catch {
    return []; // A folder beside the repository may be unreadable.
  }
}
