import { join } from "node:path";
import { launchQuirksOf, quirksOf } from "../../quirks/index.js";
import { RegistryError } from "../errors.js";
import type { Variables } from "../files/directories.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import type { KnownProgram } from "../programs/known-programs.js";
import type { AgentSettings, FoundSettings } from "../settings/agent-settings.js";
import type { InstalledAgent } from "../store/install-store.js";
import type { ResolvedAgent } from "./agent-identity.js";

/** The launch of an installed agent: its program itself, without `npx` or `uvx`. */
export function launchOfInstalled(installed: InstalledAgent, env: Variables): ResolvedAgent {
  const { id, name, version, launch, directory, notes } = installed;
  const file = join(directory, ...launch.file.split("/"));
  const command = launch.isNodeScript ? nodeOf(env) : file;
  const args = launch.isNodeScript ? [file, ...launch.args] : launch.args;
  return withQuirks({ command, args, env: launch.env, agent: { id, name, origin: "installed", version, notes } });
}

/** The launch of a known program on the `PATH`. */
export function launchOfProgram({ id, name, args }: KnownProgram, path: string): ResolvedAgent {
  return withQuirks({ command: path, args, env: {}, agent: { id, name, origin: "path", notes: [] } });
}

/** The launch of an agent with a command of the user's. */
export function launchOfCommand(
  id: string,
  { command, args = [], env = {} }: AgentSettings & { readonly command: string },
  origin: "settings" | "editor",
  file: string,
): ResolvedAgent {
  return { command, args, env, agent: { id, name: id, origin, file, notes: [] } };
}

/** A launch with the user's changes: arguments are appended, variables replaced. */
export function withSettings(
  launch: ResolvedAgent,
  settings: AgentSettings,
  { file }: Pick<FoundSettings, "file">,
): ResolvedAgent {
  const { permissions, model, mode, env = {}, args = [] } = settings;
  const isCommand = settings.command !== undefined; // whose arguments and variables the launch has
  return {
    ...launch,
    args: isCommand ? launch.args : [...launch.args, ...args],
    env: { ...launch.env, ...env },
    agent: {
      ...launch.agent,
      file,
      ...(permissions !== undefined && { permissions }),
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { mode }),
    },
  };
}

/** Adds what is known about this version: arguments that have another name, variables, time limits. */
function withQuirks(launch: ResolvedAgent): ResolvedAgent {
  const { id, version } = launch.agent;
  const quirks = quirksOf(id, version);
  const agent = quirks === undefined ? launch.agent : { ...launch.agent, quirks };
  let result: ResolvedAgent = { ...launch, agent };
  for (const { renamedArgs = {}, env = {}, startTimeoutMs, exitGraceMs } of launchQuirksOf(id, version)) {
    result = {
      ...result,
      args: result.args.map((arg) => (Object.hasOwn(renamedArgs, arg) ? (renamedArgs[arg] ?? arg) : arg)),
      env: { ...env, ...result.env },
      ...(startTimeoutMs !== undefined && { startTimeoutMs }),
      ...(exitGraceMs !== undefined && { exitGraceMs }),
    };
  }
  return result;
}

/** This Node; in Electron, Bun and Deno, which are not, the one on the `PATH`. */
function nodeOf(env: Variables): string {
  const isNode = !["electron", "bun", "deno"].some((each) => each in process.versions);
  const found = isNode ? process.execPath : findProgram("node", programsHere(env));
  if (found !== undefined) return found;
  throw new RegistryError(
    "missing_tool",
    "There is no node on the PATH, which this agent needs. Install Node.js and try again.",
  );
}
