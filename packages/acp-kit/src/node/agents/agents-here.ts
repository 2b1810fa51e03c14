import { detectAgents, editorAgentId, readEditorSettings, readOwnSettings } from "@acp-kit/registry";
import type { Host } from "../host.js";
import { openStore } from "./agent-places.js";

/** An agent on this machine. It can be started by its name without an installation. */
export interface AgentHere {
  /** The name for the command line. */
  readonly id: string;
  readonly name: string;
  /** Where the agent was found: see `AgentOrigin` of `@acp-kit/registry`. */
  readonly origin: "settings" | "installed" | "editor" | "path";
  readonly version: string | null;
  /** The path of the program, of the folder of an installed agent, or of the settings file that names the agent. */
  readonly path: string;
  /** For a program on the `PATH`: the arguments with which the installed version of the program runs as an agent. */
  readonly args?: readonly string[];
}

/**
 * Lists the agents of this machine, each name once, in the order in which `resolveAgent` searches.
 *
 * @throws {RegistryError} when the user's settings or the lock file are invalid.
 */
export async function agentsHere({ env }: Pick<Host, "env">): Promise<readonly AgentHere[]> {
  const own = await readOwnSettings(env);
  const settings = Object.keys(own.agents).map((id) => here(id, id, "settings", own.file));
  const store = openStore({ env });
  const installed = (await store.list()).map(({ id, name, version, directory }) =>
    here(id, name, "installed", directory, version),
  );
  const editors = (await readEditorSettings(env)).flatMap(({ agents, file }) =>
    Object.keys(agents)
      .filter((id) => agents[id]?.command !== undefined)
      .map((id) => here(editorAgentId(id), id, "editor", file)),
  );
  const programs = (await detectAgents({ env })).map(({ id, name, path, args, version }) => ({
    ...here(id, name, "path", path, version),
    args,
  }));
  const seen = new Set<string>();
  return [...settings, ...installed, ...editors, ...programs].filter(({ id }) => !seen.has(id) && seen.add(id));
}

function here(
  id: string,
  name: string,
  origin: AgentHere["origin"],
  path: string,
  version: string | null = null,
): AgentHere {
  return { id, name, origin, version, path };
}
