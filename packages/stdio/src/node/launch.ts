import { builtin } from "./builtins.js";
import type { LaunchContext } from "./spawn-failure.js";
import { resolveWindowsLaunch } from "./windows-launch.js";

/** The program that is actually started for a command. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** The variables that a shim (a script that a package manager wrote) sets before it starts the program. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the arguments are already quoted (Windows). */
  readonly verbatim?: boolean;
}

/** The part of the file system needed to find a command. */
export interface LaunchFiles {
  isFile(path: string): boolean;
  read(path: string): string;
}

/**
 * Returns the executable and the arguments to start for a command. On Windows, Node can't start the `.cmd` shims that
 * package managers write; on other systems, the executable is the command itself.
 */
export function resolveLaunch(context: LaunchContext, args: readonly string[]): Launch {
  return process.platform === "win32" ? resolveWindowsLaunch(context, args, files) : { file: context.command, args };
}

const files: LaunchFiles = {
  isFile(path) {
    try {
      return builtin("fs").statSync(path).isFile();
    } catch {
      return false;
    }
  },
  read: (path) => builtin("fs").readFileSync(path, "utf8"),
};
