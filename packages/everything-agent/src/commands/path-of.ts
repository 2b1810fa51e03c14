/** Makes a path absolute, based on the session's `cwd`, because the protocol requires absolute paths. */
export function pathOf(cwd: string, path: string): string {
  if (/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) return path;
  const separator = cwd.includes("\\") ? "\\" : "/";
  return cwd.endsWith(separator) ? `${cwd}${path}` : `${cwd}${separator}${path}`;
}
