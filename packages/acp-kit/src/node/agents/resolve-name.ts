import {
  findProgram,
  programsHere,
  type ResolveAgentOptions,
  type ResolvedAgent,
  resolveAgent,
} from "@acp-kit/registry";
import type { AgentCommand } from "../agent-target.js";
import type { Host } from "../host.js";
import { createLog } from "../log.js";
import { openRegistries, openStore } from "./agent-places.js";
import { progressView } from "./progress-view.js";
import { logRegistryNotes } from "./registry-notes.js";

/** Options of {@link resolveName}. */
export interface NameOptions {
  /** The user's arguments, appended to the arguments that the agent needs. */
  readonly args: readonly string[];
  /** Whether a name that is not the name of an agent is accepted as a program on the `PATH`. */
  readonly mayBeProgram: boolean;
}

/**
 * Returns the command of an agent by its name. Installs an agent of the registry that is not on this machine, with
 * progress on standard error.
 *
 * @throws {RegistryError} when the name is unknown, or the agent can't be installed.
 */
export async function resolveName(
  name: string,
  { args, mayBeProgram }: NameOptions,
  host: Host,
): Promise<AgentCommand> {
  const store = openStore(host);
  const options: ResolveAgentOptions = { env: host.env, store, args };
  if (mayBeProgram) {
    const known = await withoutRegistry(name, options);
    if (known !== undefined) return commandOf(known);
    if (findProgram(name, programsHere(host.env)) !== undefined) return { command: name, args };
  }
  const log = createLog(host, "warn");
  using view = progressView(host);
  const { onProgress } = view;
  let isInstalling = false;
  const resolved = await resolveAgent(name, {
    ...options,
    install: true,
    registry: async () => {
      const registry = await openRegistries(host);
      logRegistryNotes(registry, log);
      return registry;
    },
    onProgress(progress) {
      if (!isInstalling) host.stderr.line(`${name} is not installed yet; installing it in ${store.directory}`);
      isInstalling = true;
      onProgress(progress);
    },
  });
  for (const note of isInstalling ? resolved.agent.notes : []) log.warn(note);
  return commandOf(resolved);
}

/** Resolves the name of an agent on this machine. Returns `undefined` for a name that only the registry knows. */
async function withoutRegistry(name: string, options: ResolveAgentOptions): Promise<ResolvedAgent | undefined> {
  const needed = new Error("the registry is needed");
  try {
    return await resolveAgent(name, { ...options, registry: () => Promise.reject(needed) });
  } catch (error) {
    if (error === needed) return undefined;
    throw error;
  }
}

function commandOf({ agent, ...command }: ResolvedAgent): AgentCommand {
  return { ...command, identity: agent };
}
