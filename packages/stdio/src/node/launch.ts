import { builtin } from "./builtins.js";
import type { Launch, LaunchFiles } from "./launched-program.js";
import type { LaunchContext } from "./spawn-failure.js";
import { resolveWindowsLaunch } from "./windows-launch.js";

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
