/** POSIX, Windows drive and UNC. */
const absolute = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/**
 * Returns whether a path is absolute on the platform that it is for, which may differ from the current platform. The
 * protocol has no relative paths.
 */
export function isAbsolutePath(path: string): boolean {
  return absolute.test(path);
}
