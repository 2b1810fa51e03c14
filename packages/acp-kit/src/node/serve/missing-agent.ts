import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findProgram, programsHere } from "@acp-kit/registry";
import { missingProgramSentence } from "../missing-program.js";
import type { ServedCommand } from "./serve-settings.js";

/**
 * Returns the message for an agent whose program does not exist; `undefined` if it exists. A server starts its agents
 * only for a client, so this look is the only sign of a misspelt command before. It executes nothing.
 *
 * @param inherited the environment of this process.
 */
export function missingAgentText(
  { command, cwd, env, inheritEnv }: ServedCommand,
  inherited: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return exists(command, cwd, pathOf(env, inherited, inheritEnv)) ? undefined : missingProgramSentence(command);
}

/** Returns the `PATH` of the agent, in which the system searches the program. */
function pathOf(
  own: ServedCommand["env"],
  inherited: Readonly<Record<string, string | undefined>>,
  inheritEnv: ServedCommand["inheritEnv"],
): string | undefined {
  if ("PATH" in own) return own.PATH;
  return inheritEnv === undefined || inheritEnv.includes("PATH") ? inherited.PATH : undefined;
}

function exists(command: string, cwd: string, path: string | undefined): boolean {
  if (process.platform === "win32") return true; // the search in Windows has more rules than findProgram knows
  if (command.includes("/")) return existsSync(resolve(cwd, command));
  if (path === undefined) return true; // the system has a PATH of its own
  // An empty directory is the working directory
  const directories = path.split(":").map((directory) => resolve(cwd, directory));
  return findProgram(command, programsHere({ PATH: directories.join(":") })) !== undefined;
}
