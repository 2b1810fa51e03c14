import { variable } from "./child-environment.js";
import type { Launch } from "./launch.js";
import { ProcessError } from "./process-error.js";
import type { LaunchContext } from "./spawn-failure.js";

/** What `cmd.exe` gives a meaning to. */
const META = /[()[\]%!^"`<>&|;, *?]/g;

/**
 * Starts a batch file through `cmd.exe`, which reads the line, and reads it again when the batch file passes its arguments on.
 *
 * @throws {ProcessError} when an argument holds a line break: no quoting carries it.
 */
export function cmdLaunch(file: string, args: readonly string[], { command, env }: LaunchContext): Launch {
  if (args.some((argument) => /[\r\n\0]/.test(argument))) {
    const message = `Can't start "${command}": ${file} is a batch file, and those can't be given an argument with a line break.`;
    throw new ProcessError("spawn_failed", message, { command });
  }
  const line = [file.replace(META, "^$&"), ...args.map(quoteForBatch)].join(" ");
  return { file: variable(env, "COMSPEC") ?? "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

/** An argument as a program will read it behind two readings of `cmd.exe`. */
export function quoteForBatch(argument: string): string {
  return quoteForProgram(argument).replace(META, "^$&").replace(META, "^$&");
}

/**
 * An argument as the C runtime reads it: backslashes are themselves, except before a quote, where they come in pairs.
 *
 * @see https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
function quoteForProgram(argument: string): string {
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}
