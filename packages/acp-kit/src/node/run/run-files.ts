import type { FileHandlers } from "@acp-kit/client";
import { workspaceFiles } from "@acp-kit/workspace";

/**
 * The names of agents that read a file before they create it, and stop if the client responds that the file does not
 * exist. To them, the client responds with an empty text.
 *
 * Gemini CLI 0.61: "Error checking existing file: Resource not found".
 */
const readersOfNewFiles: readonly string[] = ["gemini-cli"];

/** Creates the file handlers for a directory. The agent's name is a function: it is known after `initialize`. */
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
