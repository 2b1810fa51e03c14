import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { AgentRegistry } from "../catalog/agent-registry.js";
import { openRegistry } from "../catalog/open-registry.js";
import { unknownAgent } from "../catalog/unknown-agent.js";
import { RegistryError } from "../errors.js";
import { homeDirectory, settingsFile, type Variables } from "../files/directories.js";
import type { OnInstallProgress } from "../install/install-progress.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import { knownPrograms } from "../programs/known-programs.js";
import type { FoundSettings } from "../settings/agent-settings.js";
import { editorAgentId, readEditorSettings } from "../settings/editor-settings.js";
import { type OwnSettings, readOwnSettings } from "../settings/own-settings.js";
import { type InstallStore, openInstallStore } from "../store/install-store.js";
import type { ResolvedAgent } from "./agent-identity.js";
import { launchOfCommand, launchOfInstalled, launchOfProgram, withSettings } from "./launch-of.js";

/** Options of {@link resolveAgent}. */
export interface ResolveAgentOptions {
  /** Whether to install an agent of the registry that is not on this machine. Default: `false`. */
  readonly install?: boolean;
  /** Arguments to append to those of the agent. */
  readonly args?: readonly string[];
  /** The variables for `PATH` and directories. Default: `process.env`; on a desktop, `await loginEnvironment()`. */
  readonly env?: Variables;
  readonly store?: InstallStore;
  /**
   * The registry, or a function that opens the registry when it is needed. Default: the registries in the user's
   * settings file; if it contains none, the public registry.
   */
  readonly registry?: AgentRegistry | (() => Promise<AgentRegistry>);
  /** The path of the settings file; `false` for none. Default: `acp-kit/agents.json` of the user's configuration. */
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
 * Finds an agent by its name, and returns the options with which `spawnAgent` starts it.
 *
 * Searches for the name in this order: the user's settings, the installed agents, the settings of editors, known
 * programs on the `PATH`. `claude`, `codex` and `copilot` stand for the longer ids of these agents. If the name is not
 * found and `install` is set, installs the agent from the registry. The function starts no agent. For an installed
 * agent, it needs no network.
 *
 * @throws {RegistryError} `unknown_agent` with the most similar names, `not_installed`, `invalid_settings`; with
 * `install`, also the errors of `InstallStore.install`.
 */
export async function resolveAgent(name: string, options: ResolveAgentOptions = {}): Promise<ResolvedAgent> {
  checkOptions("resolveAgent", options, optionKinds);
  const places = await placesOf(options);
  const resolved = await find(name, places, []);
  return options.args === undefined ? resolved : { ...resolved, args: [...resolved.args, ...options.args] };
}

const optionKinds: OptionKinds<ResolveAgentOptions> = {
  install: "value",
  args: "value",
  env: "value",
  store: "value",
  registry: "value",
  settings: "value",
  editors: "value",
  onProgress: "function",
  signal: "value",
};

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

/**
 * @param above - the names whose settings refer to `name`, directly or through other names. The settings of a name in
 * this list are not used again.
 */
async function find(name: string, places: Places, above: readonly string[]): Promise<ResolvedAgent> {
  const { own, env, store } = places;
  const home = homeDirectory(env);
  const settings = !above.includes(name) && Object.hasOwn(own.agents, name) ? own.agents[name] : undefined;
  if (settings !== undefined) {
    const { command, agent = name } = settings;
    const launch =
      command !== undefined
        ? launchOfCommand(name, { ...settings, command }, { origin: "settings", file: own.file, home })
        : await find(agent, places, [...above, name]);
    return withSettings(launch, settings, own);
  }
  const installed = await store.get(name);
  if (installed !== undefined && (await store.isIntact(installed))) return launchOfInstalled(installed, env);
  const inEditor = above.includes(`editor ${name}`) ? undefined : inEditors(name, await places.editors());
  if (inEditor !== undefined) {
    const [key, { command, ...changes }, file] = inEditor;
    if (command !== undefined) {
      const launch = launchOfCommand(key, { ...changes, command }, { origin: "editor", file, home });
      return withSettings(launch, { ...changes, command }, { file });
    }
    return withSettings(await find(key, places, [...above, `editor ${key}`]), changes, { file });
  }
  const full = Object.hasOwn(shortNames, name) ? shortNames[name] : undefined;
  if (full !== undefined) return await find(full, places, above);
  const program = knownPrograms.find(({ id, command }) => id === name || command === name);
  const path = program && findProgram(program.command, programsHere(env));
  if (program !== undefined && path !== undefined) return launchOfProgram(program, path);
  return await fromRegistry(program?.id ?? name, places, above.includes(name));
}

/** The names that people type for agents whose id is longer. An agent of the user with such a name comes first. */
const shortNames: Readonly<Record<string, string>> = {
  claude: "claude-acp",
  codex: "codex-acp",
  copilot: "github-copilot-cli",
};

/** Finds a name in the settings of editors, which store display names: also by its {@link editorAgentId}. */
function inEditors(
  name: string,
  editors: readonly FoundSettings[],
): readonly [key: string, settings: FoundSettings["agents"][string], file: string] | undefined {
  const id = editorAgentId(name);
  for (const { agents, file } of editors) {
    const found = Object.entries(agents).find(([key]) => editorAgentId(key) === id);
    if (found !== undefined) return [...found, file];
  }
  return undefined;
}

/** @param isConfigured - whether the user's settings have the name, but no command for it. */
async function fromRegistry(id: string, places: Places, isConfigured: boolean): Promise<ResolvedAgent> {
  const { options, store, env } = places;
  const registry = await places.registry();
  const entry = registry.get(id);
  if (entry === undefined) throw await unknown(id, registry, places, isConfigured);
  if (!options.install) {
    throw new RegistryError(
      "not_installed",
      `The agent "${id}" is not installed. Install the agent with: acp-kit agents install ${id}`,
    );
  }
  const { onProgress, signal } = options;
  const installed = await store.install(entry, { ...(onProgress && { onProgress }), ...(signal && { signal }) });
  return launchOfInstalled(installed, env);
}

async function unknown(
  name: string,
  registry: AgentRegistry,
  { own, editors, store }: Places,
  isConfigured: boolean,
): Promise<RegistryError> {
  const names = [
    ...Object.keys(own.agents),
    ...(await store.list()).map(({ id }) => id),
    ...(await editors()).flatMap(({ agents }) => Object.keys(agents)),
    ...registry.entries.map(({ agent }) => agent.id),
    ...knownPrograms.map(({ id }) => id),
  ].filter((known) => known !== name);
  const what = whyUnknown(name, isConfigured);
  return unknownAgent({ what, name, names, sources: registry.sources, settingsFile: own.file });
}

function whyUnknown(name: string, isConfigured: boolean): string {
  if (isConfigured)
    return `The settings of the agent "${name}" have no command, and there is no other agent "${name}" that they could change.`;
  const program = knownPrograms.find(({ id, command }) => id === name || command === name);
  return program === undefined
    ? `There is no agent "${name}".`
    : `The agent "${name}" is not on this machine: its program "${program.command}" is not on the PATH, and no registry has the agent.`;
}
