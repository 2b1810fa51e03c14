import type { AgentRegistry } from "../catalog/agent-registry.js";
import { nearest } from "../catalog/nearest.js";
import { openRegistry } from "../catalog/open-registry.js";
import { RegistryError } from "../errors.js";
import { settingsFile, type Variables } from "../files/directories.js";
import type { OnInstallProgress } from "../install/install-progress.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import { knownPrograms } from "../programs/known-programs.js";
import type { FoundSettings } from "../settings/agent-settings.js";
import { readEditorSettings } from "../settings/editor-settings.js";
import { type OwnSettings, readOwnSettings } from "../settings/own-settings.js";
import { type InstallStore, openInstallStore } from "../store/install-store.js";
import type { ResolvedAgent } from "./agent-identity.js";
import { launchOfCommand, launchOfInstalled, launchOfProgram, withSettings } from "./launch-of.js";

/** Options of {@link resolveAgent}. */
export interface ResolveAgentOptions {
  /** Installs an agent of the registry that is found nowhere. Default: `false`. */
  readonly install?: boolean;
  /** More arguments for the agent, after its own. */
  readonly args?: readonly string[];
  /** Where programs are searched, and the user's directories. Default: `process.env`; pass `await loginEnvironment()` in a desktop application. */
  readonly env?: Variables;
  readonly store?: InstallStore;
  /** The registry, or how to open it; it is opened only where it is needed. Default: the sources of the user's settings, else the public one. */
  readonly registry?: AgentRegistry | (() => Promise<AgentRegistry>);
  /** The user's own file of agents; `false`: none. Default: `acp-kit/agents.json` below the user's configuration directory. */
  readonly settings?: string | false;
  /** Whether to read the settings of editors. Default: `true`. */
  readonly editors?: boolean;
  readonly onProgress?: OnInstallProgress;
  readonly signal?: AbortSignal;
}

interface Places {
  readonly env: Variables;
  readonly own: OwnSettings;
  readonly editors: () => Promise<readonly FoundSettings[]>;
  readonly store: InstallStore;
  readonly registry: () => Promise<AgentRegistry>;
  readonly options: ResolveAgentOptions;
}

/**
 * Returns how to start an agent by its name: what `spawnAgent` takes, with everything that is known about its launch.
 *
 * A name is searched in the user's own settings, the installed agents, the settings of editors, and among known programs on the `PATH`, in
 * this order; with `install`, it is then installed from the registry. Nothing is started, and an installed agent needs no network.
 *
 * @throws {RegistryError} `unknown_agent` with the nearest names, `not_installed`, `invalid_settings`; with `install`, the errors of
 * `InstallStore.install`.
 */
export async function resolveAgent(name: string, options: ResolveAgentOptions = {}): Promise<ResolvedAgent> {
  const places = await placesOf(options);
  const resolved = await find(name, places, []);
  return options.args === undefined ? resolved : { ...resolved, args: [...resolved.args, ...options.args] };
}

async function placesOf(options: ResolveAgentOptions): Promise<Places> {
  const { env = process.env, settings, editors = true, registry, signal } = options;
  const own = settings === false ? { agents: {}, file: "" } : await readOwnSettings(env, settings ?? settingsFile(env));
  const open = (): Promise<AgentRegistry> =>
    openRegistry({ env, ...(own.registries && { sources: own.registries }), ...(signal && { signal }) });
  return {
    env,
    own,
    editors: async () => (editors ? await readEditorSettings(env) : []),
    store: options.store ?? openInstallStore({ env }),
    registry: async () => (registry === undefined ? open() : typeof registry === "function" ? registry() : registry),
    options,
  };
}

/** @param above - the names of settings that led here. */
async function find(name: string, places: Places, above: readonly string[]): Promise<ResolvedAgent> {
  const { own, env, store } = places;
  const settings = !above.includes(name) && Object.hasOwn(own.agents, name) ? own.agents[name] : undefined;
  if (settings !== undefined) {
    const { command, agent = name } = settings;
    const launch =
      command !== undefined
        ? launchOfCommand(name, { ...settings, command }, "settings", own.file)
        : await find(agent, places, [...above, name]);
    return withSettings(launch, settings, own);
  }
  const installed = await store.get(name);
  if (installed !== undefined && (await store.isIntact(installed))) return launchOfInstalled(installed, env);
  const inEditor = above.includes(`editor ${name}`) ? undefined : inEditors(name, await places.editors());
  if (inEditor !== undefined) {
    const [key, { command, ...changes }, file] = inEditor;
    if (command !== undefined) {
      const launch = launchOfCommand(key, { ...changes, command }, "editor", file);
      return withSettings(launch, { ...changes, command }, { file });
    }
    return withSettings(await find(key, places, [...above, `editor ${key}`]), changes, { file });
  }
  const program = knownPrograms.find(({ id, command }) => id === name || command === name);
  const path = program && findProgram(program.command, programsHere(env));
  if (program !== undefined && path !== undefined) return launchOfProgram(program, path);
  return await fromRegistry(program?.id ?? name, places);
}

/** Names of editors are for display: their letters are compared in lower case, with hyphens for spaces. */
function inEditors(
  name: string,
  editors: readonly FoundSettings[],
): readonly [key: string, settings: FoundSettings["agents"][string], file: string] | undefined {
  const plain = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, "-");
  for (const { agents, file } of editors) {
    const found = Object.entries(agents).find(([key]) => plain(key) === plain(name));
    if (found !== undefined) return [...found, file];
  }
  return undefined;
}

async function fromRegistry(id: string, places: Places): Promise<ResolvedAgent> {
  const { options, store, env } = places;
  const registry = await places.registry();
  const entry = registry.get(id);
  if (entry === undefined) throw await unknown(id, registry, places);
  if (!options.install) {
    throw new RegistryError(
      "not_installed",
      `The agent "${id}" is known, but not installed. Install it with: acp-kit agents install ${id}`,
    );
  }
  const { onProgress, signal } = options;
  const installed = await store.install(entry, { ...(onProgress && { onProgress }), ...(signal && { signal }) });
  return launchOfInstalled(installed, env);
}

async function unknown(name: string, registry: AgentRegistry, { own, editors, store }: Places): Promise<RegistryError> {
  const names = [
    ...Object.keys(own.agents),
    ...(await store.list()).map(({ id }) => id),
    ...(await editors()).flatMap(({ agents }) => Object.keys(agents)),
    ...registry.entries.map(({ agent }) => agent.id),
    ...knownPrograms.map(({ id }) => id),
  ];
  const near = nearest(name, names).join(", ");
  const where =
    own.file === ""
      ? ""
      : ` To add one of your own, put it into ${own.file}: { "agents": { ${JSON.stringify(name)}: { "command": "…", "args": [] } } }`;
  const missing = registry.sources.filter(({ state }) => state === "unavailable").map((source) => source.name);
  const unread = missing.length === 0 ? "" : ` Could not be read: ${missing.join(", ")}.`;
  return new RegistryError(
    "unknown_agent",
    `There is no agent "${name}". The nearest names are ${near}.${unread}${where}`,
  );
}
