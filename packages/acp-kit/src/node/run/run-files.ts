import type { FileHandlers } from "@acp-kit/client";
import { workspaceFiles } from "@acp-kit/workspace";

/**
 * Agents that make a new file by reading it first, and give up when they are told that it isn't there; for them a missing file is an empty one.
 *
 * Gemini CLI 0.61: "Error checking existing file: Resource not found".
 */
const readersOfNewFiles: readonly string[] = ["gemini-cli"];

/** Files of one folder, for the agent of that name, which is only known once it is connected. */
export function runFiles(folder: string, agentName: () => string | undefined): FileHandlers {
  const [asTheyAre, neverMissing] = [
    workspaceFiles({ roots: [folder] }),
    workspaceFiles({ roots: [folder], missing: "empty" }),
  ];
  const files = () => (readersOfNewFiles.includes(agentName() ?? "") ? neverMissing : asTheyAre);
  return {
    readTextFile: (params, context) => files().readTextFile(params, context),
    writeTextFile: (params, context) => asTheyAre.writeTextFile?.(params, context),
  };
}
