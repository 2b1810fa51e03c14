import type { Roots } from "../roots.js";
import type { Overlay } from "./overlay.js";
import type { FileRefusalReason } from "./refusal.js";

/** The default of every limit of `workspaceFiles`. */
export const workspaceFilesDefaults: Required<Pick<WorkspaceFilesOptions, "maxReadBytes" | "maxWriteBytes">> = {
  maxReadBytes: 10_485_760,
  maxWriteBytes: 10_485_760,
};

/** A report of one access to a file, allowed or not, for logs and user interfaces. */
export interface FileAccess {
  readonly kind: "read" | "write" | "delete" | "rename";
  readonly sessionId: string;
  /** The path as the agent sent it; a path that is too long for any system is cut. */
  readonly path: string;
  /** The new path of a renamed file, as the agent sent it. */
  readonly targetPath?: string;
  /** The path of the file with all links resolved; absent if access was refused before that. */
  readonly realPath?: string;
  /** `refused`: by a rule, see `reason`. `failed`: by the system, or the file does not exist. */
  readonly outcome: "done" | "refused" | "failed";
  readonly reason?: FileRefusalReason | undefined;
  /** The number of bytes that were read or written. */
  readonly bytes?: number | undefined;
}

/** Options of {@link workspaceFiles}. */
export interface WorkspaceFilesOptions {
  /** The folders that an agent may use. The default is `"session"`: the folders of the session. */
  readonly roots?: Roots;
  /** Whether to offer only reading; the client then does not advertise writing. */
  readonly readOnly?: boolean;
  /** Whether to offer `fs/delete_file` and `fs/rename_file`, which the protocol lacks. The default is `false`. */
  readonly deleteAndRename?: boolean;
  /**
   * Patterns of files that an agent can neither read nor change, compared with the path below a root folder: `*`, `?`
   * and `**`. A matching folder includes everything below it. A pattern without a slash matches at any depth. Patterns
   * are case-insensitive, because some file systems are.
   */
  readonly deny?: readonly string[];
  /**
   * Whether a file that has several names (hard links) can be read. `"search"` (the default) refuses the file if a
   * pattern of `deny` matches another of its names, in the same folder or in a folder above. Names in other folders are
   * not found. `"refuse"` refuses every such file, so that no hard link leads to a denied file or out of the root
   * folders. Package managers and `git clone` create hard links: with `"refuse"`, an agent can't read most files of a
   * `node_modules` that pnpm installed.
   */
  readonly hardLinks?: "search" | "refuse";
  /** The unsaved text of files that are open in an editor. */
  readonly overlay?: Overlay;
  /** Receives every access of an agent to a file, including refused ones. Errors that it throws are ignored. */
  readonly onAccess?: (access: FileAccess) => void;
  /** Reading a missing file: `-32002` (`"error"`, the default), or an empty text, for agents that read first. */
  readonly missing?: "error" | "empty";
  /** Whether text is written as given (the default), or with the file's line endings and byte order mark. */
  readonly lineEndings?: "asGiven" | "keep";
  /** The maximum number of bytes that one request may read. The default is 10 MiB. */
  readonly maxReadBytes?: number;
  /** The maximum number of bytes that one request may write. The default is 10 MiB. */
  readonly maxWriteBytes?: number;
}
