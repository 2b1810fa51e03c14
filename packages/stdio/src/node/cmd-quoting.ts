import { variable } from "./child-environment.js";
import { assertCmdLength } from "./command-line-length.js";
import type { Launch } from "./launched-program.js";
import { ProcessError } from "./process-error.js";
import type { LaunchContext } from "./spawn-failure.js";

/** Characters with a special meaning to `cmd.exe`. */
const META = /[()[\]%!^"`<>&|;, *?]/g;

/**
 * Builds the command line that starts a batch file with `cmd.exe`. `cmd.exe` parses the line, and parses the arguments
 * again when the batch file passes them on.
 *
 * @throws {ProcessError} when an argument contains a line break, which can't be quoted, or the line is longer than
 * `cmd.exe` allows.
 */
export function cmdLaunch(file: string, args: readonly string[], { command, env }: LaunchContext): Launch {
  if (args.some((argument) => /[\r\n\0]/.test(argument))) {
    const message = `Can't start "${command}": ${file} is a batch file, and an argument of a batch file can't contain a line break.`;
    throw new ProcessError("spawn_failed", message, { command });
  }
  assertCmdLength(command, [file, ...args]); // checked before quoting, so that no long text is quoted
  const line = [file.replace(META, "^$&"), ...args.map(quoteForBatch)].join(" ");
  const launch: Launch = {
    file: variable(env, "COMSPEC") ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${line}"`],
    verbatim: true,
  };
  assertCmdLength(command, [launch.file, ...launch.args]);
  return launch;
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
  return `"${argument.split('"').map(withBackslashesDoubled).join('\\"')}"`;
}

/** Doubles the backslashes at the end of a text. */
function withBackslashesDoubled(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\\") end -= 1;
  return text + text.slice(end);
}
