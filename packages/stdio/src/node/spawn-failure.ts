import { builtin } from "./builtins.js";
import { type Environment, variable } from "./child-environment.js";
import { ProcessError } from "./process-error.js";

/** The command to start, its working directory and its environment. */
export interface LaunchContext {
  readonly command: string;
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * Creates the error for a failed start. The system uses the code `ENOENT` for a missing command, a missing directory
 * and a missing interpreter; the message of this error says which of them is missing.
 */
export function explainSpawnFailure(cause: unknown, { command, cwd, env }: LaunchContext): ProcessError {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES" && code !== "ENOEXEC") {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new ProcessError("spawn_failed", `Can't start "${command}": ${reason}`, { command, cause });
  }
  const problem = problemOf(cwd);
  if (problem !== undefined) {
    const message = `Can't start "${command}": the working directory ${cwd} ${problem}.`;
    return new ProcessError("bad_cwd", message, { command, cause });
  }
  const { delimiter, isAbsolute, resolve, sep } = builtin("path");
  const byPath = command.includes("/") || command.includes(sep);
  const searched = byPath ? undefined : searchPath(env);
  const candidates = byPath
    ? [isAbsolute(command) ? command : resolve(cwd, command)]
    : (searched ?? []).map((directory) => resolve(cwd, directory, command));
  const existing = candidates.find(exists);
  if (existing === undefined) {
    const message = byPath
      ? `Can't start "${command}": there is no such file.`
      : `Can't find the command "${command}". Searched PATH: ${searched?.join(delimiter) || "(empty)"}. Is the command installed, and in the PATH of this process? loginEnvironment() returns the PATH of the login shell.`;
    return new ProcessError("not_found", message, { command, searched, cause });
  }
  const message = isExecutableFile(existing)
    ? `Can't start ${existing}: the interpreter that its first line names was not found.`
    : `Can't start ${existing}: it is not an executable file.`;
  return new ProcessError("not_executable", message, { command, searched, cause });
}

function searchPath(env: Environment): string[] {
  return (variable(env, "PATH") ?? "").split(builtin("path").delimiter).filter((directory) => directory !== "");
}

/**
 * Returns why no process can start in a directory, or `undefined` if the directory is not the problem. Never throws,
 * because the caller is a listener of the process.
 */
function problemOf(cwd: string): string | undefined {
  const { accessSync, constants, statSync } = builtin("fs");
  try {
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return "is not a directory or doesn't exist";
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    return `can't be entered (${(error as NodeJS.ErrnoException).code})`;
  }
}

function exists(path: string): boolean {
  try {
    return builtin("fs").statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // this process has no permission to look
  }
}

function isExecutableFile(path: string): boolean {
  try {
    const { accessSync, constants, statSync } = builtin("fs");
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
