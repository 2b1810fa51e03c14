import { existsSync } from "node:fs";

/**
 * How the system tells where something lies that is open.
 *
 * - `descriptor`, on Linux: `/proc/self/fd/N` is the open file or directory itself, whatever has become of the path that it was
 *   opened by. The kernel says where it lies, and no link redirects the names below it.
 * - `path`, elsewhere: the path is looked at again once it is open, and has to lead to the same file. Whoever swaps directories
 *   can still win, by swapping several times at the right moments.
 */
export type Tracking = "descriptor" | "path";

/** What this system has. */
export const systemTracking: Tracking =
  process.platform === "linux" && existsSync("/proc/self/fd") ? "descriptor" : "path";
