import { isAbsolutePath } from "@acp-kit/protocol/internal";

/**
 * A parsed path, for comparing paths as text. The form of the path decides whether it is a POSIX path or a Windows
 * path. Paths are compared name by name, so `/work-2` is not inside `/work`.
 */
export interface PathPlace {
  /** The drive, the network share or `/`. */
  readonly root: string;
  readonly names: readonly string[];
  readonly windows: boolean;
}

/**
 * The length of the longest path that is parsed, in UTF-16 units. This is the limit of Linux. The limit of macOS is
 * lower, and few Windows programs turn on the option for longer paths.
 */
export const MAX_PATH_LENGTH = 4_096;

const drive = /^([A-Za-z]):(?:[\\/]|$)/;
const share = /^\\\\([^\\/]+)[\\/]+([^\\/]+)/;
const longForm = /^\\\\[?.]\\(?:(UNC)\\)?/i;

/**
 * Parses a path; a relative path is resolved against `cwd`. Returns `undefined` for a path that can't be resolved: a
 * relative path without an absolute `cwd`, a URL, and a path that begins with `~`, contains a NUL character or is
 * longer than {@link MAX_PATH_LENGTH}. `.` and `..` are resolved as text, without access to files. Symbolic links are
 * not resolved, because this package has no access to files.
 */
export function placeOf(path: string, cwd?: string | undefined): PathPlace | undefined {
  if (path.length > MAX_PATH_LENGTH || path.includes("\0")) return undefined;
  const base = cwd !== undefined && isAbsolutePath(cwd) ? absolutePlace(cwd) : undefined;
  if (base?.windows && /^[\\/]/.test(path)) {
    if (/^[\\/]{2}/.test(path)) return absolutePlace(path.replaceAll("/", "\\"));
    return { ...base, names: resolved(split(path, true)) }; // a path on the drive of `cwd`
  }
  if (isAbsolutePath(path)) return absolutePlace(path);
  if (base === undefined || path === "" || path.startsWith("~") || /^[A-Za-z][\w+.-]*:/.test(path)) return undefined;
  return { ...base, names: resolved([...base.names, ...split(path, base.windows)]) };
}

/** Returns whether `path` is `folder` or inside it. Windows paths are compared without regard to case. */
export function isInside(path: PathPlace, folder: PathPlace): boolean {
  return contains(path, folder, path.windows ? isSameLowered : (name, other) => name === other);
}

/**
 * Does the same as {@link isInside}, for rules that reject. Names that differ only in case or in the Unicode form of
 * accents count as equal, because they name the same file on some file systems.
 */
export function mayBeInside(path: PathPlace, folder: PathPlace): boolean {
  return contains(path, folder, isSameLowered);
}

function contains(path: PathPlace, folder: PathPlace, isSame: (name: string, other: string) => boolean): boolean {
  if (path.root !== folder.root || path.names.length < folder.names.length) return false;
  return folder.names.every((name, index) => isSame(path.names[index] ?? "", name));
}

/**
 * Returns whether two names are equal apart from upper and lower case and the Unicode form of accents.
 *
 * Normalising a name (converting it to one Unicode form) takes time that is quadratic in the number of its accents. The
 * same text is at most eight times as long in one Unicode form as in another. So if `name` is more than eight times as
 * long as `other`, the names are different, and `name` is not normalised.
 */
function isSameLowered(name: string, other: string): boolean {
  const wanted = lowered(other);
  return name.length <= 8 * wanted.length && lowered(name) === wanted;
}

function absolutePlace(path: string): PathPlace | undefined {
  if (path.startsWith("/")) return { root: "/", names: resolved(split(path, false)), windows: false };
  const long = longForm.exec(path);
  const plain = long === null ? path : `${long[1] === undefined ? "" : "\\\\"}${path.slice(long[0].length)}`;
  const start = drive.exec(plain) ?? share.exec(plain);
  if (start === null) return undefined; // the path names a device, or a server without a share
  const root = start[2] === undefined ? `${start[1]}:` : `\\\\${start[1]}\\${start[2]}`;
  return { root: root.toLowerCase(), names: resolved(split(plain.slice(start[0].length), true)), windows: true };
}

/**
 * Splits a path into names. Windows ignores dots and spaces at the end of a name, and `name:stream` opens a stream of
 * the file `name`.
 */
function split(path: string, windows: boolean): string[] {
  return windows ? path.split(/[\\/]/).map(windowsName) : path.split("/");
}

function windowsName(name: string): string {
  if (name === "." || name === "..") return name;
  const colon = name.indexOf(":");
  let end = colon < 0 ? name.length : colon;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end -= 1;
  return name.slice(0, end);
}

/** Resolves `.` and `..`; `..` in the root is the root itself. */
function resolved(names: readonly string[]): string[] {
  const result: string[] = [];
  for (const name of names) {
    if (name === "..") result.pop();
    else if (name !== "" && name !== ".") result.push(name);
  }
  return result;
}

const lowered = (name: string): string => name.normalize("NFD").toLowerCase().normalize("NFC");
