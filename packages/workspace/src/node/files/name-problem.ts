import { exceededPathLimit } from "./path-limits.js";

const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;
const DEVICE_NAMESPACE = /^[\\/]{2}[.?](?:[\\/]|$)/;
const WINDOWS_ABSOLUTE = /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/])/i;

/** Matches a lone surrogate, which the system would replace: another file than the checked one. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The reason why a text can't be the path of a file on an operating system. */
export type NameProblem = "not_absolute" | "bad_name" | "too_long";

/**
 * Checks the text of a path before any file access, and its length first. Returns `undefined` for a valid path. On
 * Windows many names are special: devices that exist in every directory, streams after a colon, and endings that the
 * system drops, which give one file several names.
 *
 * @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function nameProblem(path: string, platform: string): NameProblem | undefined {
  if (exceededPathLimit(path, platform) !== undefined) return "too_long";
  if (path.includes("\0") || path.search(LONE_SURROGATE) !== -1) return "bad_name";
  if (platform !== "win32") return path.startsWith("/") ? undefined : "not_absolute";
  if (DEVICE_NAMESPACE.test(path)) return "bad_name";
  if (!WINDOWS_ABSOLUTE.test(path)) return "not_absolute";
  const names = path.replace(/^[a-z]:/i, "").split(/[\\/]/);
  return names.some((name) => name !== "." && name !== ".." && isSpecial(name)) ? "bad_name" : undefined;
}

function isSpecial(name: string): boolean {
  return DEVICE.test(name) || /[. ]$/.test(name) || /[:*?"<>|]/.test(name);
}
