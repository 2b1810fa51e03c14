import { existsSync } from "node:fs";

/**
 * The way in which the location of an open file is determined.
 *
 * - `descriptor`, on Linux: `/proc/self/fd/N` is the open file or directory itself, even if its path has changed. The
 *   kernel reports its location, and no link redirects the names below it.
 * - `path`, elsewhere: the path is checked again after opening, and must lead to the same file. An attacker who swaps
 *   directories several times at the right moments can still lead the access outside the root.
 */
export type Tracking = "descriptor" | "path";

/** The way of tracking that this system supports. */
export const systemTracking: Tracking =
  process.platform === "linux" && existsSync("/proc/self/fd") ? "descriptor" : "path";
