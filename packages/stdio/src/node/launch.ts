import { builtin } from "./builtins.js";
import type { LaunchContext } from "./spawn-failure.js";
import { resolveWindowsLaunch } from "./windows-launch.js";

/** What is really started for a command. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** Variables that a shim sets before it starts the program. */
  readonly env?: Readonly<Record<string, string>>;
  /** The arguments are quoted already (Windows). */
  readonly verbatim?: boolean;
}

/** The files of the system, as far as finding a command needs them. */
export interface LaunchFiles {
  isFile(path: string): boolean;
  read(path: string): string;
}

/** What to start for a command. Only Windows needs a look: the shims that package managers write can't be started there. */
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
