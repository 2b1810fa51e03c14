/** Limits for the contents of an archive. */
export interface ArchiveLimits {
  /** Maximum size of all files together, in bytes. */
  readonly maxUnpackedBytes: number;
  /** Maximum number of entries. */
  readonly maxEntries: number;
}

/**
 * Returns how many bytes an archive of `size` bytes can contain at most. Deflate makes data at most 1,032 times
 * smaller. Bzip2, and a zip archive whose entries overlap, have no such limit, so that a small archive could take the
 * time and the space of the largest.
 */
export function mostContent(size: number): number {
  return 1_100 * size + 16_777_216;
}
