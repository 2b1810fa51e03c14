/** A folder, and the folder that takes its place. */
export interface PathPair {
  readonly from: string;
  readonly to: string;
}

/** An absolute path, divided into its parts. */
interface Parts {
  readonly isWindows: boolean;
  /** `""`, a drive such as `C:`, or the server and share of a UNC path. */
  readonly root: string;
  readonly names: readonly string[];
}

/**
 * Returns the path in the folder that takes the place of its own folder; the longest folder decides. `.` and `..` are
 * resolved before the comparison, so that no path leaves its folder unseen. A path in no folder is returned unchanged.
 */
export function mapPath(path: string, pairs: readonly PathPair[]): string {
  const parts = partsOf(path);
  if (parts === undefined) return path;
  let best: { readonly rest: readonly string[]; readonly to: string } | undefined;
  for (const { from, to } of pairs) {
    const folder = partsOf(from);
    if (folder === undefined || !isInside(parts, folder)) continue;
    const rest = parts.names.slice(folder.names.length);
    if (best === undefined || rest.length < best.rest.length) best = { rest, to };
  }
  return best === undefined ? path : joined(best.to, best.rest);
}

/** Maps a `file:` URI as {@link mapPath} does. Other URIs are returned unchanged. */
export function mapUri(uri: string, pairs: readonly PathPair[]): string {
  const found = /^file:\/\/(?:localhost)?(\/[^?#]*)([?#].*)?$/i.exec(uri);
  if (found === null) return uri;
  const [, encoded = "", suffix = ""] = found;
  const path = decoded(encoded);
  if (path === undefined) return uri;
  const local = /^\/[A-Za-z]:(?:\/|$)/.test(path) ? path.slice(1) : path;
  const changed = mapPath(local, pairs);
  if (changed === local) return uri;
  const slashed = partsOf(changed)?.isWindows ? `/${changed.replaceAll("\\", "/")}` : changed;
  return `file://${slashed.split("/").map(encodeName).join("/")}${suffix}`;
}

function encodeName(name: string): string {
  return /^[A-Za-z]:$/.test(name) ? name : encodeURIComponent(name);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function partsOf(path: string): Parts | undefined {
  const drive = /^[A-Za-z]:(?=[\\/]|$)/.exec(path)?.[0];
  const share = drive === undefined ? /^\\\\[^\\/]+[\\/][^\\/]+/.exec(path)?.[0] : undefined;
  if (drive === undefined && share === undefined && !path.startsWith("/")) return undefined;
  const root = drive ?? share ?? "";
  const isWindows = root !== "";
  const names: string[] = [];
  for (const name of path.slice(root.length).split(isWindows ? /[\\/]/ : "/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return { isWindows, root, names };
}

function isInside(path: Parts, folder: Parts): boolean {
  if (path.isWindows !== folder.isWindows) return false;
  const same = (a: string, b: string): boolean => (path.isWindows ? a.toLowerCase() === b.toLowerCase() : a === b);
  return same(path.root, folder.root) && folder.names.every((name, index) => same(name, path.names[index] ?? ""));
}

function joined(folder: string, names: readonly string[]): string {
  const parts = partsOf(folder);
  const separator = parts?.isWindows ? "\\" : "/";
  const all = [...(parts?.names ?? []), ...names];
  return `${parts?.root ?? ""}${separator}${all.join(separator)}`;
}
