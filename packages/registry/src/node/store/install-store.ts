import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkOptions, limitsAmong, type OptionKinds } from "@acp-kit/protocol/internal";
import { createLedger } from "@acp-kit/stdio/node";
import type { RegistryEntry } from "../catalog/agent-registry.js";
import { isAgentId } from "../catalog/decode-agent.js";
import { fileFailure, RegistryError } from "../errors.js";
import { agentsDirectory, type Variables } from "../files/directories.js";
import { withLock } from "../files/exclusive-lock.js";
import type { DistributionKind } from "../install/choose-distribution.js";
import {
  type FixedInstallLimits,
  fixedInstallLimits,
  type InstallLimits,
  type InstallSizes,
  installDefaults,
} from "../install/install-options.js";
import type { OnInstallProgress } from "../install/install-progress.js";
import { installVersion, isVersion } from "./install-version.js";
import {
  checksumsOf,
  type HoldReason,
  type PinnedAgent,
  type PinnedAgents,
  type PinnedChecksum,
  type PinnedVersion,
  readLockFile,
  writeLockFile,
} from "./lock-file.js";

/** Options of {@link openInstallStore}. */
export interface InstallStoreOptions extends Partial<InstallSizes> {
  /** The directory of the store. Default: `acp-kit/agents` in the user's data directory. */
  readonly directory?: string;
  /** The environment variables of npm and uv, and for the user's directories. Default: `process.env`. */
  readonly env?: Variables;
  /** Replaces the global `fetch`, for proxies. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Options of {@link InstallStore.install}. */
export interface InstallOptions {
  /**
   * The version to install, instead of the version of the registry. Only for npm and PyPI packages. Updates then keep
   * this version: see {@link PinnedAgent.heldBy}.
   */
  readonly version?: string;
  /** The kind of distribution. Default: the first of `npx`, `uvx` and `binary` that this machine can install. */
  readonly kind?: DistributionKind;
  /** Whether to install the agent's pre-release version. */
  readonly preview?: boolean;
  /**
   * Whether npm may run the install scripts of the package and its dependencies, with the rights of the user. Default:
   * `false`. Scripts that did not run are reported in `notes`.
   */
  readonly scripts?: boolean;
  readonly onProgress?: OnInstallProgress;
  readonly signal?: AbortSignal;
}

/** An installed agent. */
export interface InstalledAgent extends PinnedAgent {
  readonly id: string;
  /** The folder of the installed version. */
  readonly directory: string;
}

/**
 * The installed agents of a directory. Several processes may use the directory at the same time.
 *
 * Each installation fills a new folder. The lock file is replaced last, atomically, so it never refers to an incomplete
 * installation. If a process is killed, the installed agents stay unchanged, and the next installation of the same
 * agent removes the incomplete folder.
 */
export class InstallStore {
  /** The absolute path of the directory. */
  readonly directory: string;
  readonly #options: InstallStoreOptions;
  readonly #limits: InstallLimits;

  /** @internal Use {@link openInstallStore}. */
  constructor(options: InstallStoreOptions, fixed: Partial<FixedInstallLimits> = {}) {
    // Npm and the agents run in other working directories
    this.directory = resolve(options.directory ?? agentsDirectory(options.env));
    this.#options = options;
    this.#limits = {
      ...fixedInstallLimits,
      ...fixed,
      ...limitsAmong("openInstallStore", { ...installDefaults }, options),
    };
  }

  /** The path of the lock file, which contains the installed versions, their sources and their checksums. */
  get lockFile(): string {
    return join(this.directory, "agents.lock.json");
  }

  /** Returns the installed agents. @throws {RegistryError} `invalid_settings` if the lock file is damaged. */
  async list(): Promise<readonly InstalledAgent[]> {
    return Object.entries(await readLockFile(this.lockFile)).map(([id, agent]) => this.#installed(id, agent));
  }

  /**
   * Returns an installed agent; `undefined` if the agent is not installed.
   *
   * @throws {RegistryError} `invalid_settings` if the lock file is damaged.
   */
  async get(id: string): Promise<InstalledAgent | undefined> {
    const agent = await this.#pinned(id);
    return agent && this.#installed(id, agent);
  }

  /**
   * Installs an agent, or replaces its version. Does nothing if the version is already installed and intact. Keeps the
   * previous version for
   * {@link rollback}. Waits while another process installs the same agent.
   *
   * @throws {RegistryError} when the agent can't be installed. The installed version then stays. Rejects with the
   * reason of an aborted signal.
   */
  async install({ agent, source }: RegistryEntry, options: InstallOptions = {}): Promise<InstalledAgent> {
    const { onProgress = () => {}, signal } = options;
    const { id, name } = agent;
    return await this.#locked(id, { signal, onWait: () => onProgress({ step: "wait", what: id }) }, async () => {
      const current = await this.#pinned(id);
      // No agent has this name as its id, because ids contain no dots
      const ledger = createLedger(join(this.directory, ".locks", "installers.ledger"));
      await ledger.reap(); // an installer whose process was killed still writes into its folder
      await this.#removeLeftovers(id, current);
      const isIntact = current !== undefined && (await this.#isIntact(id, current));
      if (isIntact && isVersion(agent, current, options)) {
        return this.#installed(
          id,
          await this.#hold(id, current, options.version === undefined ? undefined : "version"),
        );
      }
      const version = await this.#inNewFolder(id, (folder, folderName) =>
        installVersion(agent, current, options, {
          folder,
          folderName,
          env: this.#options.env ?? process.env,
          limits: this.#limits,
          signal,
          onProgress,
          fetch: this.#options.fetch,
          ledger,
          scripts: options.scripts === true,
        }),
      );
      const previous = isIntact ? versionOf(current) : current?.previous;
      const earlier = current === undefined ? [] : earlierOf(current, [version, previous]);
      const pinned: PinnedAgent = {
        ...version,
        name,
        source,
        ...(options.version !== undefined && { heldBy: "version" as const }),
        ...(previous !== undefined && { previous }),
        ...(earlier.length > 0 && { earlier }),
      };
      try {
        await this.#change((agents) => ({ ...agents, [id]: pinned }));
      } catch (error) {
        await this.#removeFolder(id, version.folder);
        throw error;
      }
      await this.#removeLeftovers(id, pinned);
      return this.#installed(id, pinned);
    });
  }

  /**
   * Replaces an agent by its previously installed version. Updates then keep this version. A second call undoes the
   * first.
   *
   * @throws {RegistryError} `not_installed`, also if there is no previous version.
   */
  async rollback(id: string): Promise<InstalledAgent> {
    return await this.#locked(id, {}, async () => {
      const { previous, ...current } = (await this.get(id)) ?? notInstalled(id);
      if (previous === undefined || !(await this.#isIntact(id, previous))) {
        throw new RegistryError(
          "not_installed",
          `There is no previously installed version of "${id}"; ${current.version} is installed.`,
        );
      }
      const { name, source, earlier } = current;
      const pinned: PinnedAgent = {
        ...previous,
        name,
        source,
        heldBy: "rollback",
        previous: versionOf(current),
        ...(earlier !== undefined && { earlier }),
      };
      await this.#change((agents) => ({ ...agents, [id]: pinned }));
      return this.#installed(id, pinned);
    });
  }

  /** Removes an agent, with all its versions. @throws {RegistryError} `not_installed`. */
  async remove(id: string): Promise<void> {
    await this.#locked(id, {}, async () => {
      if ((await this.get(id)) === undefined) notInstalled(id);
      await this.#change(({ [id]: _, ...others }) => others);
      await rm(join(this.directory, id), { recursive: true, force: true, maxRetries: 3 });
    });
  }

  /** Returns whether the program of an installed agent exists. Checks no other file. */
  async isIntact({ id, ...version }: InstalledAgent): Promise<boolean> {
    return await this.#isIntact(id, version);
  }

  async #pinned(id: string): Promise<PinnedAgent | undefined> {
    const agents = await readLockFile(this.lockFile);
    // `constructor` is a valid id, so inherited members must not be found.
    return Object.hasOwn(agents, id) ? agents[id] : undefined;
  }

  async #isIntact(id: string, { folder, launch }: PinnedVersion): Promise<boolean> {
    const path = join(this.directory, id, folder, ...launch.file.split("/"));
    return (await stat(path).catch(() => undefined))?.isFile() === true;
  }

  async #hold(id: string, current: PinnedAgent, reason: HoldReason | undefined): Promise<PinnedAgent> {
    const { heldBy, ...others } = current;
    if (heldBy === reason) return current;
    const pinned: PinnedAgent = { ...others, ...(reason !== undefined && { heldBy: reason }) };
    await this.#change((agents) => ({ ...agents, [id]: pinned }));
    return pinned;
  }

  #installed(id: string, agent: PinnedAgent): InstalledAgent {
    return { ...agent, id, directory: join(this.directory, id, agent.folder) };
  }

  async #inNewFolder<T>(id: string, fill: (folder: string, name: string) => Promise<T>): Promise<T> {
    const name = randomBytes(8).toString("hex");
    const folder = join(this.directory, id, name);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await fill(folder, name);
    } catch (error) {
      await this.#removeFolder(id, name);
      throw fileFailure(`"${id}" can't be installed`, error);
    }
  }

  async #removeFolder(id: string, name: string): Promise<void> {
    // The next installation removes the folder
    await rm(join(this.directory, id, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }

  /** Removes the folders to which the lock file does not refer: older versions, and incomplete installations. */
  async #removeLeftovers(id: string, agent: PinnedAgent | undefined): Promise<void> {
    const names = await readdir(join(this.directory, id)).catch((): string[] => []);
    const kept = [agent?.folder, agent?.previous?.folder];
    for (const name of names.filter((each) => !kept.includes(each))) await this.#removeFolder(id, name);
  }

  async #change(change: (agents: PinnedAgents) => PinnedAgents): Promise<void> {
    const lock = join(this.directory, ".locks", "agents.lock.json"); // no agent has this name as its id
    await withLock(lock, { timeoutMs: this.#limits.lockMs }, async () => {
      await writeLockFile(this.lockFile, change(await readLockFile(this.lockFile)));
    });
  }

  async #locked<T>(
    id: string,
    { signal, onWait }: { readonly signal?: AbortSignal | undefined; readonly onWait?: () => void },
    action: () => Promise<T>,
  ): Promise<T> {
    if (!isAgentId(id)) throw new TypeError(`"${id}" is not a valid id of an agent.`);
    return await withLock(
      join(this.directory, ".locks", id),
      { timeoutMs: this.#limits.lockMs, signal, onWait },
      action,
    );
  }
}

/** Opens an install store. The first installation creates its directory. */
export function openInstallStore(options: InstallStoreOptions = {}): InstallStore {
  checkOptions("openInstallStore", options, optionKinds);
  return new InstallStore(options);
}

const optionKinds: OptionKinds<InstallStoreOptions> = {
  directory: "value",
  env: "value",
  fetch: "function",
  maxDownloadBytes: "value",
  maxUnpackedBytes: "value",
};

/** Returns the checksums of the versions of an agent that were installed before, except those of `installed`. */
function earlierOf(agent: PinnedAgent, installed: readonly (PinnedVersion | undefined)[]): readonly PinnedChecksum[] {
  return checksumsOf(agent).filter(
    ({ version, kind, from }) =>
      !installed.some((each) => each?.version === version && each.kind === kind && each.from === from),
  );
}

function versionOf({
  version,
  entryVersion,
  kind,
  from,
  integrity,
  folder,
  launch,
  installedAt,
  notes,
  scripts,
}: PinnedVersion): PinnedVersion {
  return {
    version,
    entryVersion,
    kind,
    from,
    folder,
    launch,
    installedAt,
    notes,
    ...(integrity !== undefined && { integrity }),
    ...(scripts !== undefined && { scripts }),
  };
}

function notInstalled(id: string): never {
  throw new RegistryError("not_installed", `The agent "${id}" is not installed.`);
}
