import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { loginEnvironment } from "@acp-kit/stdio/node";
import { cacheDirectory, type Variables } from "../files/directories.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import { type KnownProgram, knownPrograms } from "../programs/known-programs.js";
import { launchOfProgram } from "../resolve/launch-of.js";
import { type AgentProbe, type ProbeOptions, probeAgent } from "./probe-agent.js";
import { ProbeCache } from "./probe-cache.js";

/** A known agent that is on the `PATH`. `args` are the arguments that the found version needs. */
export interface DetectedAgent extends KnownProgram {
  /** The path of its program. */
  readonly path: string;
  /** The environment variables that the found version needs. */
  readonly env: Readonly<Record<string, string>>;
  /** The version, if the program belongs to an npm package. */
  readonly version?: string;
  /** The agent's response to `initialize`; absent unless `probe` is set. */
  readonly probe?: AgentProbe;
}

/** Options of {@link detectAgents}. */
export interface DetectAgentsOptions extends ProbeOptions {
  /** The variables for the search and for programs. Default: the login environment with version managers. */
  readonly env?: Variables;
  /** Whether to start each found agent and send `initialize`. Results are cached until the program's file changes. */
  readonly probe?: boolean;
  /** Whether to ignore cached probes. */
  readonly refresh?: boolean;
  /** The directory of cached probes. Default: `acp-kit/registry` in the user's cache directory. */
  readonly cacheDirectory?: string;
  /** The programs to search. Default: {@link knownPrograms}. */
  readonly programs?: readonly KnownProgram[];
}

/**
 * Finds known agents on the `PATH`. With `probe`, the function also checks whether each agent implements the protocol.
 * It starts one agent at a time, because agents need much memory.
 */
export async function detectAgents(options: DetectAgentsOptions = {}): Promise<readonly DetectedAgent[]> {
  checkOptions("detectAgents", options, optionKinds);
  const env = options.env ?? (await loginEnvironment());
  const search = programsHere(env);
  const cache = new ProbeCache(options.cacheDirectory ?? cacheDirectory(env));
  const found: DetectedAgent[] = [];
  for (const program of options.programs ?? knownPrograms) {
    const path = findProgram(program.command, search);
    if (path === undefined) continue;
    const agent = await detected(program, path);
    found.push(options.probe ? { ...agent, probe: await probed(agent, env, cache, options) } : agent);
  }
  return found;
}

const optionKinds: OptionKinds<DetectAgentsOptions> = {
  env: "value",
  probe: "value",
  refresh: "value",
  cacheDirectory: "value",
  programs: "value",
  timeoutMs: "value",
  signal: "value",
};

async function detected(program: KnownProgram, path: string): Promise<DetectedAgent> {
  const { args, env, agent } = await launchOfProgram(program, path);
  return { ...program, path, args, env, ...(agent.version !== undefined && { version: agent.version }) };
}

async function probed(
  { path, args, env: own }: DetectedAgent,
  environment: Variables,
  cache: ProbeCache,
  { refresh, timeoutMs, signal }: DetectAgentsOptions,
): Promise<AgentProbe> {
  const env = { ...environment, ...own };
  const known = refresh ? undefined : await cache.read(path, args);
  if (known !== undefined) return known;
  const options = { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal && { signal }) };
  const probe = await probeAgent({ command: path, args, env, inheritEnv: false }, options);
  await cache.write(path, args, probe);
  return probe;
}
