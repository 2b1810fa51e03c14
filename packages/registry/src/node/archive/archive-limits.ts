/** Limits for the contents of an archive. */
export interface ArchiveLimits {
  /** Maximum size of all files together, in bytes. */
  readonly maxUnpackedBytes: number;
  /** Maximum number of entries. */
  readonly maxEntries: number;
}

/** The default limits. The largest known agent has 400 MB and 30,000 files. */
export const archiveDefaults: ArchiveLimits = { maxUnpackedBytes: 4_294_967_296, maxEntries: 200_000 };
