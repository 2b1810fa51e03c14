import { statSync } from "node:fs";
import { resolve } from "node:path";
import { invalidParams } from "@acp-kit/protocol";
import { shorten } from "@acp-kit/protocol/internal";
import type { StartChildOptions } from "@acp-kit/stdio/node";
import { exceededPathLimit } from "../files/path-limits.js";
import type { Shell } from "./terminals-options.js";

/** The program to start for an agent's command. */
export type Program = Pick<StartChildOptions, "command" | "args" | "verbatim">;

/** White space and special characters of shells. */
const LINE = /[\s|&;<>()$`"'*?#~=%!{}[\]^]|\\(?!\w)/;

/**
 * Returns the program to start. Some agents put a command line into `command` and omit `args`.
 *
 * With `args`, `command` is a program and no shell is involved. Without `args`, `command` is a command line for the
 * shell if it contains white space or a special character of shells, and if no file has exactly this text as its name.
 *
 * @throws {RpcError} when `command` is a command line and the shell is disabled.
 */
export function programOf(
  command: string,
  args: readonly string[],
  { cwd, shell }: { readonly cwd: string; readonly shell: Shell | false | undefined },
): Program {
  if (args.length > 0 || !LINE.test(command) || isFile(command, cwd)) return { command, args };
  if (shell === false) {
    throw invalidParams("Invalid params: command: this client runs no shell, so send a program and its args", {
      command: shorten(command),
    });
  }
  if (shell !== undefined) return { command: shell.command, args: [...shell.args, command] };
  return process.platform === "win32" ? cmdLine(command) : shLine(command);
}

/** Runs a line in `/bin/sh`, with both output streams in one pipe, so that output is in order. */
function shLine(line: string): Program {
  return { command: "/bin/sh", args: ["-c", `exec 2>&1; ${line}`] };
}

/** Runs a line in `cmd.exe`, which with `/s` removes the outer quotes and leaves the text between them. */
function cmdLine(line: string): Program {
  const command = process.env.COMSPEC ?? "cmd.exe";
  return { command, args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

function isFile(command: string, cwd: string): boolean {
  if (exceededPathLimit(command, process.platform) !== undefined) return false;
  try {
    return statSync(resolve(cwd, command)).isFile();
  } catch {
    return false; // most command lines are no valid path
  }
}
