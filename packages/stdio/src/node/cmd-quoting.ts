import { variable } from "./child-environment.js";
import type { Launch } from "./launch.js";
import { ProcessError } from "./process-error.js";
import type { LaunchContext } from "./spawn-failure.js";

/** Characters with a special meaning to `cmd.exe`. */
const META = /[()[\]%!^"`<>&|;, *?]/g;

/**
 * Builds the command line that starts a batch file with `cmd.exe`. `cmd.exe` parses the line, and parses the arguments
 * again when the batch file passes them on.
 *
 * @throws {ProcessError} when an argument contains a line break, which can't be quoted.
 */
export function cmdLaunch(file: string, args: readonly string[], { command, env }: LaunchContext): Launch {
  if (args.some((argument) => /[\r\n\0]/.test(argument))) {
    const message = `Can't start "${command}": ${file} is a batch file, and an argument of a batch file can't contain a line break.`;
    throw new ProcessError("spawn_failed", message, { command });
  }
  const line = [file.replace(META, "^$&"), ...args.map(quoteForBatch)].join(" ");
  return { file: variable(env, "COMSPEC") ?? "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

/** Quotes an argument so that a program receives it unchanged after `cmd.exe` parsed it twice. */
export function quoteForBatch(argument: string): string {
  return quoteForProgram(argument).replace(META, "^$&").replace(META, "^$&");
}

/**
 * Quotes an argument for the C runtime: backslashes are literal, except before a quote, where they are doubled.
 *
 * @see https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
function quoteForProgram(argument: string): string {
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}
