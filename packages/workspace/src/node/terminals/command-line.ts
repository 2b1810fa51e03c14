import { statSync } from "node:fs";
import { resolve } from "node:path";
import { invalidParams, shorten } from "@acp-kit/protocol";
import type { StartChildOptions } from "@acp-kit/stdio/node";
import { exceededPathLimit } from "../files/path-limits.js";
import type { Shell } from "./terminals-options.js";

/** What is started for what an agent asks for. */
export type Program = Pick<StartChildOptions, "command" | "args" | "verbatim">;

/** White space, or what a shell gives a meaning to. */
const LINE = /[\s|&;<>()$`"'*?#~=%!{}[\]^]|\\(?!\w)/;

/**
 * Reads a `terminal/create`: some agents put a whole line into `command` and leave `args` away.
 *
 * With `args` the command is a program and no shell is near. Without, it is a command line for the shell when it holds white space or
 * anything that means something to a shell, unless a file has exactly that name.
 *
 * @throws {RpcError} for a command line where there is no shell.
 */
export function programOf(
  command: string,
  args: readonly string[],
  { cwd, shell }: { readonly cwd: string; readonly shell: Shell | false | undefined },
): Program {
  if (args.length > 0 || !LINE.test(command) || isFile(command, cwd)) return { command, args };
  if (shell === false) {
    throw invalidParams("Invalid params: command: no shell here, so a program and its args are needed", {
      command: shorten(command),
    });
  }
  if (shell !== undefined) return { command: shell.command, args: [...shell.args, command] };
  return process.platform === "win32" ? cmdLine(command) : shLine(command);
}

/** Both streams into one, so that they come in the order in which they were written. */
function shLine(line: string): Program {
  return { command: "/bin/sh", args: ["-c", `exec 2>&1; ${line}`] };
}

/** `cmd.exe` reads the line as it is, between the quotes that `/s` takes away. */
function cmdLine(line: string): Program {
  const command = process.env.COMSPEC ?? "cmd.exe";
  return { command, args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

function isFile(command: string, cwd: string): boolean {
  if (exceededPathLimit(command, process.platform) !== undefined) return false;
  try {
    return statSync(resolve(cwd, command)).isFile();
  } catch {
    return false; // most lines aren't even a possible name
  }
}
