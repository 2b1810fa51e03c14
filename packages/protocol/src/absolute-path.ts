/** Matches the beginning of an absolute path: POSIX, Windows drive or UNC. */
const absolute = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/**
 * Returns whether a path is absolute on Linux, macOS or Windows, regardless of the current platform. All paths in the
 * protocol are absolute.
 */
export function isAbsolutePath(path: string): boolean {
  return absolute.test(path);
}
