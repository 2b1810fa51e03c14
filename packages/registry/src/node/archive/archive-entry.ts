import type { Readable } from "node:stream";

/** One entry of an archive. Readers of archives refuse entries of other types, such as devices and pipes. */
export type ArchiveEntry =
  | { readonly type: "directory"; readonly name: string }
  | { readonly type: "file"; readonly name: string; readonly isExecutable: boolean; readonly content: Readable }
  /** A symbolic or a hard link; the target of a hard link is relative to the archive's root. */
  | { readonly type: "symlink" | "hardlink"; readonly name: string; readonly target: string };

/** Handles one entry of an archive. It reads a file to its end before its promise resolves. */
export type EntryHandler = (entry: ArchiveEntry) => Promise<void>;
