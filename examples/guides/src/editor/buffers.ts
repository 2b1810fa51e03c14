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

/** Gives an agent the files of one folder, with the user's unsaved text, and no other files. */
export function editorFiles(workspace: string): WorkspaceFiles {
  return workspaceFiles({ roots: [workspace], deny: [".env*", ".git"], overlay });
}
// #endregion buffers
