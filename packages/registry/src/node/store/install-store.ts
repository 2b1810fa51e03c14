import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RegistryEntry } from "../catalog/agent-registry.js";
import { isAgentId } from "../catalog/decode-agent.js";
import { fileFailure, RegistryError } from "../errors.js";
import { agentsDirectory, type Variables } from "../files/directories.js";
import { withLock } from "../files/exclusive-lock.js";
import type { DistributionKind } from "../install/choose-distribution.js";
import { type InstallLimits, installDefaults } from "../install/install-options.js";
import type { OnInstallProgress } from "../install/install-progress.js";
import { installVersion, isVersion } from "./install-version.js";
import { type PinnedAgent, type PinnedAgents, type PinnedVersion, readLockFile, writeLockFile } from "./lock-file.js";

/** Options of {@link openInstallStore}. `installDefaults` has the default of each limit. */
export interface InstallStoreOptions extends Partial<InstallLimits> {
  /** Where agents are installed. Default: `acp-kit/agents` below the user's data directory. */
  readonly directory?: string;
  /** The environment of npm and uv, and that names the user's directories. Default: `process.env`. */
  readonly env?: Variables;
  /** Replaces the global `fetch`, for proxies. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Options of {@link InstallStore.install}. */
export interface InstallOptions {
  /** The version to install instead of that of the registry, which `update` then keeps; only for npm and PyPI packages. */
  readonly version?: string;
  /** The kind of distribution. Default: the first of npx, uvx, binary that this machine can install. */
  readonly kind?: DistributionKind;
  /** Installs the pre-release of the agent, if it has one. */
  readonly preview?: boolean;
  readonly onProgress?: OnInstallProgress;
  readonly signal?: AbortSignal;
}

/** An installed agent. */
export interface InstalledAgent extends PinnedAgent {
  readonly id: string;
  /** Its folder. */
  readonly directory: string;
}

/**
 * The agents that are installed in a directory, which several processes may share.
 *
 * Each installation has a folder of its own, which nothing refers to until it is complete: the lock file is replaced last, as a whole. A
 * process that is killed at any moment leaves the agents as they were, and the next one removes what it left.
 */
export class InstallStore {
  readonly directory: string;
  readonly #options: InstallStoreOptions;
  readonly #limits: InstallLimits;

  /** @internal Use {@link openInstallStore}. */
  constructor(options: InstallStoreOptions) {
    this.directory = options.directory ?? agentsDirectory(options.env);
    this.#options = options;
    this.#limits = { ...installDefaults, ...options };
  }

  /** The lock file: which versions are installed, from where, and their checksums. */
  get lockFile(): string {
    return join(this.directory, "agents.lock.json");
  }

  /** Returns the installed agents, by id. @throws {RegistryError} `invalid_settings` if the lock file is damaged. */
  async list(): Promise<readonly InstalledAgent[]> {
    return Object.entries(await readLockFile(this.lockFile)).map(([id, agent]) => this.#installed(id, agent));
  }

  /** Returns an installed agent. @throws {RegistryError} `invalid_settings` if the lock file is damaged. */
  async get(id: string): Promise<InstalledAgent | undefined> {
    const agents = await readLockFile(this.lockFile);
    const agent = Object.hasOwn(agents, id) ? agents[id] : undefined;
    return agent && this.#installed(id, agent);
  }

  /**
   * Installs an agent, or another version of it; returns at once if this version is installed and intact. The version before is kept, to
   * go back to. If another process installs the same agent, it waits, and then has nothing to do.
   *
   * @throws {RegistryError} for every reason why it can't be installed; what was installed before stays. The reason of an aborted signal.
   */
  async install({ agent, source }: RegistryEntry, options: InstallOptions = {}): Promise<InstalledAgent> {
    const { onProgress = () => {}, signal } = options;
    const { id, name } = agent;
    return await this.#locked(id, { signal, onWait: () => onProgress({ step: "wait", what: id }) }, async () => {
      const current = (await readLockFile(this.lockFile))[id];
      await this.#removeLeftovers(id, current);
      const isIntact = current !== undefined && (await this.#isIntact(id, current));
      if (isIntact && isVersion(agent, current, options)) {
        return this.#installed(id, await this.#hold(id, current, options.version !== undefined));
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
        }),
      );
      const previous = isIntact ? versionOf(current) : current?.previous;
      const pinned: PinnedAgent = {
        ...version,
        name,
        source,
        isHeld: options.version !== undefined,
        ...(previous !== undefined && { previous }),
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
   * Goes back to the version that was installed before, which `update` then keeps. Calling it again goes forward.
   *
   * @throws {RegistryError} `not_installed`, also if there is no version before.
   */
  async rollback(id: string): Promise<InstalledAgent> {
    return await this.#locked(id, {}, async () => {
      const { previous, ...current } = (await this.get(id)) ?? notInstalled(id);
      if (previous === undefined || !(await this.#isIntact(id, previous))) {
        throw new RegistryError("not_installed", `No version of "${id}" before ${current.version} is installed.`);
      }
      const { name, source } = current;
      const pinned: PinnedAgent = { ...previous, name, source, isHeld: true, previous: versionOf(current) };
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

  /** Whether the program of an installed agent is there. Nothing else of it is checked. */
  async isIntact({ id, ...version }: InstalledAgent): Promise<boolean> {
    return await this.#isIntact(id, version);
  }

  async #isIntact(id: string, { folder, launch }: PinnedVersion): Promise<boolean> {
    const path = join(this.directory, id, folder, ...launch.file.split("/"));
    return (await stat(path).catch(() => undefined))?.isFile() === true;
  }

  async #hold(id: string, current: PinnedAgent, isHeld: boolean): Promise<PinnedAgent> {
    if (current.isHeld === isHeld) return current;
    const pinned = { ...current, isHeld };
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
    await rm(join(this.directory, id, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {}); // the next installation does
  }

  /** Removes folders that nothing refers to: of versions before the previous one, and of installations that were killed. */
  async #removeLeftovers(id: string, agent: PinnedAgent | undefined): Promise<void> {
    const names = await readdir(join(this.directory, id)).catch((): string[] => []);
    const kept = [agent?.folder, agent?.previous?.folder];
    for (const name of names.filter((each) => !kept.includes(each))) await this.#removeFolder(id, name);
  }

  async #change(change: (agents: PinnedAgents) => PinnedAgents): Promise<void> {
    await withLock(join(this.directory, ".locks", "lock-file"), { timeoutMs: this.#limits.lockMs }, async () => {
      await writeLockFile(this.lockFile, change(await readLockFile(this.lockFile)));
    });
  }

  async #locked<T>(
    id: string,
    { signal, onWait }: { readonly signal?: AbortSignal | undefined; readonly onWait?: () => void },
    action: () => Promise<T>,
  ): Promise<T> {
    if (!isAgentId(id)) throw new TypeError(`"${id}" is not the id of an agent.`);
    return await withLock(
      join(this.directory, ".locks", id),
      { timeoutMs: this.#limits.lockMs, signal, onWait },
      action,
    );
  }
}

/** Opens the store of installed agents. Nothing is created until an agent is installed. */
export function openInstallStore(options: InstallStoreOptions = {}): InstallStore {
  return new InstallStore(options);
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
  };
}

function notInstalled(id: string): never {
  throw new RegistryError("not_installed", `The agent "${id}" is not installed.`);
}
