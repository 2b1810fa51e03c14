import { builtin } from "./builtins.js";
import { variable } from "./child-environment.js";
import { cmdLaunch } from "./cmd-quoting.js";
import { assertWindowsLength } from "./command-line-length.js";
import type { Launch, LaunchFiles } from "./launched-program.js";
import type { LaunchContext } from "./spawn-failure.js";
import { readCmdShim, readPowerShellShim, type Shim } from "./windows-shim.js";

/** `RUNNABLE`: the extensions of files that Windows runs itself. `SCRIPTS`: those that PowerShell or Node runs. */
const RUNNABLE = [".com", ".exe", ".bat", ".cmd"];
const SCRIPTS = [".ps1", ".js", ".mjs", ".cjs"];
/** The number of shims that are followed. A shim can start another one, or itself. */
const MAX_SHIMS = 4;

/**
 * Resolves a command on Windows. A command on Windows usually lacks its file extension, and is often a shim: a batch
 * file that npm, pnpm or yarn wrote. Shims are parsed, and their program is started directly; other batch files run
 * with `cmd.exe`. If the command can't be found, it is returned unchanged, so that the system reports the error.
 *
 * @throws {ProcessError} when an argument can't be passed to a batch file, or the command line is longer than Windows
 * accepts.
 */
export function resolveWindowsLaunch(context: LaunchContext, args: readonly string[], files: LaunchFiles): Launch {
  assertWindowsLength(context.command, [context.command, ...args]); // before a long argument is quoted
  const launch = resolve(context, args, files, 0);
  assertWindowsLength(context.command, [launch.file, ...launch.args]);
  return launch;
}

function resolve(context: LaunchContext, args: readonly string[], files: LaunchFiles, shims: number): Launch {
  const found = findCommand(context, files);
  if (found === undefined) return { file: context.command, args };
  const { win32 } = builtin("path");
  const type = win32.extname(found).toLowerCase();
  const place = { directory: win32.dirname(found), env: context.env, files };
  const through = ({ program, args: own, env }: Shim): Launch => {
    const launch = resolve({ ...context, command: program }, [...own, ...args], files, shims + 1);
    return { ...launch, env: { ...env, ...launch.env } };
  };
  if (type === ".bat" || type === ".cmd") {
    const shim = shims < MAX_SHIMS ? readCmdShim(files.read(found), place) : undefined;
    return shim === undefined ? cmdLaunch(found, args, context) : through(shim);
  }
  if (type === ".ps1") {
    const shim = shims < MAX_SHIMS ? readPowerShellShim(files.read(found), place) : undefined;
    return shim === undefined ? powerShellLaunch(found, args) : through(shim);
  }
  if (SCRIPTS.includes(type)) return through({ program: "node", args: [found], env: {} });
  return { file: found, args };
}

function powerShellLaunch(script: string, args: readonly string[]): Launch {
  const flags = ["-NoLogo", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File"];
  return { file: "powershell.exe", args: [...flags, script, ...args] };
}

/** Finds the file of a command. Unlike `cmd.exe`, it does not search the current directory. */
function findCommand({ command, cwd, env }: LaunchContext, files: LaunchFiles): string | undefined {
  const { win32 } = builtin("path");
  const extensions = (variable(env, "PATHEXT") ?? RUNNABLE.join(";"))
    .toLowerCase()
    .split(";")
    .filter((extension) => RUNNABLE.includes(extension));
  const named = [...RUNNABLE, ...SCRIPTS].includes(win32.extname(command).toLowerCase());
  const byPath = /[\\/]|^[a-z]:/i.test(command);
  const endings = [...(named ? [""] : []), ...extensions, ".ps1", ...(byPath ? [""] : [])];
  const bases = byPath
    ? [win32.resolve(cwd, command)]
    : (variable(env, "PATH") ?? "")
        .split(";")
        .map((directory) => directory.replaceAll('"', "").trim())
        .filter((directory) => directory !== "")
        .map((directory) => win32.join(directory, command));
  for (const base of bases) {
    const ending = endings.find((each) => files.isFile(base + each));
    if (ending !== undefined) return base + ending;
  }
  return undefined;
}
