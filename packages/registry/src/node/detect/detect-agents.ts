import { loginEnvironment } from "@acp-kit/stdio/node";
import { cacheDirectory, type Variables } from "../files/directories.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import { type KnownProgram, knownPrograms } from "../programs/known-programs.js";
import { type AgentProbe, type ProbeOptions, probeAgent } from "./probe-agent.js";
import { ProbeCache } from "./probe-cache.js";

/** A known agent that is on the `PATH`. */
export interface DetectedAgent extends KnownProgram {
  /** The path of its program. */
  readonly path: string;
  /** How it responded to `initialize`; absent unless it was probed. */
  readonly probe?: AgentProbe;
}

/** Options of {@link detectAgents}. */
export interface DetectAgentsOptions extends ProbeOptions {
  /** Where programs are searched and with which variables they are started. Default: the login environment, with the folders of version managers. */
  readonly env?: Variables;
  /** Starts each agent that was found and sends it `initialize`. Results are cached by the identity of its file. */
  readonly probe?: boolean;
  /** Probes again what is cached. */
  readonly refresh?: boolean;
  /** Where probes are cached. Default: `acp-kit/registry` below the user's cache directory. */
  readonly cacheDirectory?: string;
  /** The programs to search. Default: {@link knownPrograms}. */
  readonly programs?: readonly KnownProgram[];
}

/** Finds known agents on the `PATH`, and, with `probe`, whether each speaks the protocol. Agents are probed one at a time: they need much memory. */
export async function detectAgents(options: DetectAgentsOptions = {}): Promise<readonly DetectedAgent[]> {
  const env = options.env ?? (await loginEnvironment());
  const search = programsHere(env);
  const cache = new ProbeCache(options.cacheDirectory ?? cacheDirectory(env));
  const found: DetectedAgent[] = [];
  for (const program of options.programs ?? knownPrograms) {
    const path = findProgram(program.command, search);
    if (path === undefined) continue;
    const agent = { ...program, path };
    found.push(options.probe ? { ...agent, probe: await probed(agent, env, cache, options) } : agent);
  }
  return found;
}

async function probed(
  { path, args }: DetectedAgent,
  env: Variables,
  cache: ProbeCache,
  { refresh, timeoutMs, signal }: DetectAgentsOptions,
): Promise<AgentProbe> {
  const known = refresh ? undefined : await cache.read(path, args);
  if (known !== undefined) return known;
  const options = { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal && { signal }) };
  const probe = await probeAgent({ command: path, args, env, inheritEnv: false }, options);
  await cache.write(path, args, probe);
  return probe;
}
