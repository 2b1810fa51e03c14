/** POSIX, Windows drive and UNC. */
const absolute = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/** Whether a path is absolute on the platform it is for, which may be another than this one: the protocol knows no relative paths. */
export function isAbsolutePath(path: string): boolean {
  return absolute.test(path);
}
