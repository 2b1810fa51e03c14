import { isAbsolutePath } from "@acp-kit/protocol";

/** Where a path is, on the platform that its form tells of: compared name by name, so `/work-2` is not inside `/work`. */
export interface PathPlace {
  /** The drive, the share or `/`. */
  readonly root: string;
  readonly names: readonly string[];
  readonly windows: boolean;
}

const drive = /^([A-Za-z]):(?:[\\/]|$)/;
const share = /^\\\\([^\\/]+)[\\/]+([^\\/]+)/;
const longForm = /^\\\\[?.]\\(?:(UNC)\\)?/i;

/**
 * Reads a path, relative ones against `cwd`. `undefined` when it can't be told where it is: no absolute path to start from, a URL, a `~`, a
 * NUL character. `.` and `..` are resolved by name; symbolic links are not, because this package knows no files.
 */
export function placeOf(path: string, cwd?: string | undefined): PathPlace | undefined {
  if (path.includes("\0")) return undefined;
  const base = cwd !== undefined && isAbsolutePath(cwd) ? absolutePlace(cwd) : undefined;
  if (base?.windows && /^[\\/]/.test(path)) {
    if (/^[\\/]{2}/.test(path)) return absolutePlace(path.replaceAll("/", "\\"));
    return { ...base, names: resolved(split(path, true)) }; // of the drive that `cwd` is on
  }
  if (isAbsolutePath(path)) return absolutePlace(path);
  if (base === undefined || path === "" || path.startsWith("~") || /^[A-Za-z][\w+.-]*:/.test(path)) return undefined;
  return { ...base, names: resolved([...base.names, ...split(path, base.windows)]) };
}

/** Whether `path` is `folder` or below it. Windows doesn't care about case. */
export function isInside(path: PathPlace, folder: PathPlace): boolean {
  return contains(path, folder, path.windows ? lowered : same);
}

/** As {@link isInside}, for refusing: spellings that some file system takes for the same file count as the same. */
export function mayBeInside(path: PathPlace, folder: PathPlace): boolean {
  return contains(path, folder, lowered);
}

function contains(path: PathPlace, folder: PathPlace, spelling: (name: string) => string): boolean {
  if (path.root !== folder.root || path.names.length < folder.names.length) return false;
  return folder.names.every((name, index) => spelling(name) === spelling(path.names[index] ?? ""));
}

function absolutePlace(path: string): PathPlace | undefined {
  if (path.startsWith("/")) return { root: "/", names: resolved(split(path, false)), windows: false };
  const long = longForm.exec(path);
  const plain = long === null ? path : `${long[1] === undefined ? "" : "\\\\"}${path.slice(long[0].length)}`;
  const start = drive.exec(plain) ?? share.exec(plain);
  if (start === null) return undefined; // a device, or a server without a share
  const root = start[2] === undefined ? `${start[1]}:` : `\\\\${start[1]}\\${start[2]}`;
  return { root: root.toLowerCase(), names: resolved(split(plain.slice(start[0].length), true)), windows: true };
}

/** The names of a path. Windows ignores dots and spaces at the end of a name, and opens a file's stream by `name:stream`. */
function split(path: string, windows: boolean): string[] {
  if (!windows) return path.split("/");
  return path
    .split(/[\\/]/)
    .map((name) => (/^\.{1,2}$/.test(name) ? name : name.replace(/:.*$/, "").replace(/[. ]+$/, "")));
}

/** Above the root is the root. */
function resolved(names: readonly string[]): string[] {
  const result: string[] = [];
  for (const name of names) {
    if (name === "..") result.pop();
    else if (name !== "" && name !== ".") result.push(name);
  }
  return result;
}

const same = (name: string): string => name;
const lowered = (name: string): string => name.normalize("NFC").toLowerCase();
