// Recorded conversations with real agents: ACP_KIT_PEERS_KIT is the folder that has them in `transcripts`; else a folder called `peers` is looked for
// in the folders beside the repository. They are not part of it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { type Recording, readRecording } from "@acp-kit/testing/recording";

/** A recorded wire. */
export interface Transcript {
  readonly name: string;
  readonly recording: Recording;
}

/** All that are there; none, with a reason, when there is no such folder. */
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
    return []; // what lies beside us may be none of our business
  }
}
