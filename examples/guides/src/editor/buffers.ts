// #region buffers
import { type Overlay, type WorkspaceFiles, workspaceFiles } from "@acp-kit/workspace";

/** The unsaved text of each file that the user has open, by the file's real path. */
export const buffers = new Map<string, string>();

const overlay: Overlay = {
  read: ({ realPath }) => buffers.get(realPath),
  written({ realPath }, content) {
    if (buffers.has(realPath)) buffers.set(realPath, content);
  },
};

/** Serves the files of one folder to an agent, as the user sees them, and no others. */
export function editorFiles(workspace: string): WorkspaceFiles {
  return workspaceFiles({ roots: [workspace], deny: [".env*", ".git"], overlay });
}
// #endregion buffers
