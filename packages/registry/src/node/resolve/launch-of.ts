import { join } from "node:path";
import { launchQuirksOf, quirksOf } from "../../quirks/index.js";
import { RegistryError } from "../errors.js";
import type { Variables } from "../files/directories.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import type { KnownProgram } from "../programs/known-programs.js";
import { programVersion } from "../programs/program-version.js";
import type { AgentSettings, FoundSettings } from "../settings/agent-settings.js";
import type { InstalledAgent } from "../store/install-store.js";
import type { ResolvedAgent } from "./agent-identity.js";

/** Returns the command that starts an installed agent: the agent's own program, without `npx` or `uvx`. */
export function launchOfInstalled(installed: InstalledAgent, env: Variables): ResolvedAgent {
  const { id, name, version, launch, directory, notes } = installed;
  const file = join(directory, ...launch.file.split("/"));
  const command = launch.isNodeScript ? nodeOf(env) : file;
  const args = launch.isNodeScript ? [file, ...launch.args] : launch.args;
  return withQuirks({ command, args, env: launch.env, agent: { id, name, origin: "installed", version, notes } });
}

/** Returns the command that starts a known program on the `PATH`. */
export async function launchOfProgram({ id, name, args }: KnownProgram, path: string): Promise<ResolvedAgent> {
  const version = await programVersion(path);
  const agent = { id, name, origin: "path", ...(version !== undefined && { version }), notes: [] } as const;
  return withQuirks({ command: path, args, env: {}, agent });
}

/** Returns the command of an agent's settings, if any. A `~` at its beginning is the user's home. */
export function launchOfCommand(
  id: string,
  settings: AgentSettings & { readonly command: string },
  { origin, file, home }: { readonly origin: "settings" | "editor"; readonly file: string; readonly home: string },
): ResolvedAgent {
  const { args = [], env = {} } = settings;
  const command = settings.command.replace(/^~(?=[\\/])/, () => home);
  return { command, args, env, agent: { id, name: id, origin, file, notes: [] } };
}

/** Returns a command with the changes from the settings: appended arguments and replaced environment variables. */
export function withSettings(
  launch: ResolvedAgent,
  settings: AgentSettings,
  { file }: Pick<FoundSettings, "file">,
): ResolvedAgent {
  const { permissions, model, mode, env = {}, args = [] } = settings;
  // With a command, the launch already contains the arguments of the settings
  const isCommand = settings.command !== undefined;
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

/** Adjusts the options to the agent's version: arguments, variables, time limits, processes left running. */
function withQuirks(launch: ResolvedAgent): ResolvedAgent {
  const { id, version } = launch.agent;
  const quirks = quirksOf(id, version);
  const agent = quirks === undefined ? launch.agent : { ...launch.agent, quirks };
  const launchQuirks = launchQuirksOf(id, version);
  const left = [...(quirks?.leavesBehind ?? []), ...launchQuirks.flatMap(({ leavesBehind = [] }) => leavesBehind)];
  let result: ResolvedAgent = { ...launch, agent, ...(left.length > 0 && { leavesBehind: [...new Set(left)] }) };
  for (const { renamedArgs = {}, env = {}, startTimeoutMs, exitGraceMs } of launchQuirks) {
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

/** Returns the path of the running Node; in Electron, Bun and Deno, of the Node on the `PATH`. */
function nodeOf(env: Variables): string {
  const isNode = !["electron", "bun", "deno"].some((each) => each in process.versions);
  const found = isNode ? process.execPath : findProgram("node", programsHere(env));
  if (found !== undefined) return found;
  throw new RegistryError(
    "missing_tool",
    "This agent needs Node.js, but node is not on the PATH. Install Node.js and try again.",
  );
}
