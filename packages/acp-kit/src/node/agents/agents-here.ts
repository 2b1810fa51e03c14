import { detectAgents, readEditorSettings, readOwnSettings } from "@acp-kit/registry";
import type { Host } from "../host.js";
import { openStore } from "./agent-places.js";

/** An agent that can be started by its name, without installing anything. */
export interface AgentHere {
  /** The name to give to a command. */
  readonly id: string;
  readonly name: string;
  /** Where it is from: see `AgentOrigin` of `@acp-kit/registry`. */
  readonly origin: "settings" | "installed" | "editor" | "path";
  readonly version: string | null;
  /** The path of its program, or the file of its settings. */
  readonly path: string;
}

/**
 * Lists the agents of this machine, each once, in the order in which names are resolved.
 *
 * @throws {RegistryError} for mistakes in the user's settings or the lock file.
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
      .map((id) => here(id.trim().toLowerCase().replace(/\s+/g, "-"), id, "editor", file)),
  );
  const programs = (await detectAgents({ env })).map(({ id, name, path }) => here(id, name, "path", path));
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
