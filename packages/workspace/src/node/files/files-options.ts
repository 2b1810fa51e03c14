import type { Roots } from "../roots.js";
import type { Overlay } from "./overlay.js";
import type { FileRefusalReason } from "./refusal.js";

/** The named defaults of `workspaceFiles`. */
export const workspaceFilesDefaults: {
  readonly maxReadBytes: number;
  readonly maxScanBytes: number;
  readonly maxWriteBytes: number;
} = {
  maxReadBytes: 10_485_760,
  maxScanBytes: 268_435_456,
  maxWriteBytes: 10_485_760,
};

/** One access to a file, allowed or not, for logs and user interfaces. */
export interface FileAccess {
  readonly kind: "read" | "write" | "delete" | "rename";
  readonly sessionId: string;
  /** As the agent wrote it; a path too long for any system is cut off. */
  readonly path: string;
  /** The new path of a renamed file. */
  readonly targetPath?: string;
  /** The real file, links resolved. Absent when the access was refused before that was determined. */
  readonly realPath?: string;
  /** `refused`: by a rule, see `reason`. `failed`: by the system, or because the file does not exist. */
  readonly outcome: "done" | "refused" | "failed";
  readonly reason?: FileRefusalReason | undefined;
  /** The bytes read or written. */
  readonly bytes?: number | undefined;
}

/** Options of {@link workspaceFiles}. Every limit has a default in {@link workspaceFilesDefaults}. */
export interface WorkspaceFilesOptions {
  /** The directories an agent may use. Default `"session"`. */
  readonly roots?: Roots;
  /** Offer reading only: writing is then not advertised. */
  readonly readOnly?: boolean;
  /** Also offer `fs/delete_file` and `fs/rename_file`, which are not part of the protocol. Default: no. */
  readonly deleteAndRename?: boolean;
  /**
   * Files that are neither read nor changed, with everything below them: patterns of the path below its root, with `*`, `?` and
   * `**`. One without a slash matches at any depth. Case is ignored, since file systems differ there.
   */
  readonly deny?: readonly string[];
  /** The unsaved text of files that are open in an editor. */
  readonly overlay?: Overlay;
  /** Receives every access, including refused ones. Errors it throws are ignored. */
  readonly onAccess?: (access: FileAccess) => void;
  /** How a missing file is read: as error `-32002` (`"error"`, the default), or as empty, for agents that create files by reading them first. */
  readonly missing?: "error" | "empty";
  /** Whether text is written as received (`"asGiven"`, the default), or with the line endings and the byte order mark of the existing file (`"keep"`). */
  readonly lineEndings?: "asGiven" | "keep";
  /** Maximum size of one read. */
  readonly maxReadBytes?: number;
  /** How far into a file lines are searched. */
  readonly maxScanBytes?: number;
  /** Maximum size of one write. */
  readonly maxWriteBytes?: number;
}
