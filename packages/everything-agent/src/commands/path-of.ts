/** Makes a path absolute by the session's `cwd`: on the wire paths are absolute. */
export function pathOf(cwd: string, path: string): string {
  if (/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) return path;
  const separator = cwd.includes("\\") ? "\\" : "/";
  return cwd.endsWith(separator) ? `${cwd}${path}` : `${cwd}${separator}${path}`;
}
