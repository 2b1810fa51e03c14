import type { Readable } from "node:stream";

/** One entry of an archive. Entries of other types (devices, pipes) are refused where they are read. */
export type ArchiveEntry =
  | { readonly type: "directory"; readonly name: string }
  | { readonly type: "file"; readonly name: string; readonly isExecutable: boolean; readonly content: Readable }
  /** A symbolic or a hard link; the target of a hard link is relative to the archive's root. */
  | { readonly type: "symlink" | "hardlink"; readonly name: string; readonly target: string };

/** Handles one entry. Its content must be read to its end before the next entry is handled. */
export type EntryHandler = (entry: ArchiveEntry) => Promise<void>;
