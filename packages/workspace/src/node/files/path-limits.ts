/** The longest paths and names that a system accepts. */
export interface PathLimits {
  readonly pathLength: number;
  readonly nameLength: number;
  /** The unit of both limits. */
  readonly unit: "bytes" | "characters";
}

/** Maximum number of names in a path; no path of `PATH_MAX` bytes has more. */
const MAX_NAMES = 2_048;

/**
 * The limits of a system: the value of `PATH_MAX` without the final NUL, and the value of `NAME_MAX`.
 *
 * @see https://learn.microsoft.com/windows/win32/fileio/maximum-file-path-limitation
 */
export function pathLimitsOf(platform: string): PathLimits {
  if (platform === "win32") return { pathLength: 32_766, nameLength: 255, unit: "characters" };
  return { pathLength: platform === "linux" ? 4_095 : 1_023, nameLength: 255, unit: "bytes" };
}

/** Returns the limit that a path exceeds, or `undefined`, in bounded time. */
export function exceededPathLimit(path: string, platform: string): number | undefined {
  const { pathLength, nameLength, unit } = pathLimitsOf(platform);
  const lengthOf = (text: string): number => (unit === "bytes" ? Buffer.byteLength(text) : text.length);
  if (path.length > pathLength || lengthOf(path) > pathLength) return pathLength;
  const names = path.split(platform === "win32" ? /[\\/]/ : "/").filter((name) => name !== "");
  if (names.length > MAX_NAMES) return MAX_NAMES;
  return names.some((name) => lengthOf(name) > nameLength) ? nameLength : undefined;
}
