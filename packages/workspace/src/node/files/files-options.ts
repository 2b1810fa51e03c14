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

/** One use of a file, allowed or not: for logs and for people who want to know. */
export interface FileAccess {
  readonly kind: "read" | "write" | "delete" | "rename";
  readonly sessionId: string;
  /** As the agent wrote it; the end of a path that no system takes is cut off. */
  readonly path: string;
  /** Where a file was renamed to. */
  readonly targetPath?: string;
  /** The file that it is, links resolved. Absent where it was refused before that was known. */
  readonly realPath?: string;
  /** `refused`: by a rule, see `reason`. `failed`: by the system, or because there is no such file. */
  readonly outcome: "done" | "refused" | "failed";
  readonly reason?: FileRefusalReason | undefined;
  /** What was read or written. */
  readonly bytes?: number | undefined;
}

/** What an agent may do with files. Every limit has a default in {@link workspaceFilesDefaults}. */
export interface WorkspaceFilesOptions {
  /** Where. Default `"session"`. */
  readonly roots?: Roots;
  /** Offer reading only: writing is not advertised then. */
  readonly readOnly?: boolean;
  /** Offer `fs/delete_file` and `fs/rename_file` too, which are not of the protocol. Default: no. */
  readonly deleteAndRename?: boolean;
  /**
   * What is neither read nor changed, with everything below it: patterns of the path below its root, with `*`, `?` and `**`. One without a
   * slash holds at any depth. Case doesn't count, since file systems differ there.
   */
  readonly deny?: readonly string[];
  /** What is open in an editor, and not saved yet. */
  readonly overlay?: Overlay;
  /** Hears of every access, also of those that were refused. What it throws is ignored. */
  readonly onAccess?: (access: FileAccess) => void;
  /** How a missing file is read: as error `-32002` (`"error"`, the default), or as empty, for agents that create files by reading them first. */
  readonly missing?: "error" | "empty";
  /** Whether text is written as it was given (`"asGiven"`, the default), or with the line ends and the byte order mark the file has (`"keep"`). */
  readonly lineEndings?: "asGiven" | "keep";
  /** The most that one request may read. */
  readonly maxReadBytes?: number;
  /** How far into a file lines are looked for. */
  readonly maxScanBytes?: number;
  /** The most that one request may write. */
  readonly maxWriteBytes?: number;
}
