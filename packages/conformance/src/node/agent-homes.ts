import { cp, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Attempt } from "../runner/run-options.js";

/** A home folder and a temporary folder that only the agents of one worker use. */
export interface AgentHome {
  readonly home: string;
  readonly temporary: string;
  /** The environment variables that make a process use these folders. */
  readonly env: Readonly<Record<string, string>>;
}

/** Options of {@link AgentHomes}. */
export interface AgentHomesOptions {
  /** A folder that is copied into each home: settings, a login. @defaultValue an empty home */
  readonly template?: string;
  /** The parent folder of the homes. @defaultValue the system's temporary folder */
  readonly directory?: string;
}

/** The home folders of agents: one for each worker, and a fresh one for each run that confirms a failure. */
export class AgentHomes {
  readonly #options: AgentHomesOptions;
  readonly #homes = new Map<string, Promise<AgentHome>>();
  readonly #folders: string[] = [];
  #fresh = 0;

  constructor(options: AgentHomesOptions = {}) {
    this.#options = options;
  }

  /** Returns the home for a run: the worker's home for a first run, a fresh home for a second run. */
  for({ job, number }: Pick<Attempt, "job" | "number">): Promise<AgentHome> {
    const key = number === 1 ? `job ${job}` : `fresh ${this.#fresh++}`;
    const home = this.#homes.get(key) ?? this.#make();
    this.#homes.set(key, home);
    return home;
  }

  /** Removes every home. Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#homes.values());
    const gone = this.#folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
    await Promise.allSettled(gone);
  }

  async #make(): Promise<AgentHome> {
    const { template, directory } = this.#options;
    const box = await mkdtemp(join(directory ?? (await realpath(tmpdir())), "acp-kit-home-"));
    this.#folders.push(box);
    const [home, temporary] = [join(box, "home"), join(box, "tmp")];
    if (template === undefined) await mkdir(home);
    else await cp(template, home, { recursive: true, verbatimSymlinks: true });
    await mkdir(temporary);
    return { home, temporary, env: environmentOf(home, temporary) };
  }
}

function environmentOf(home: string, temporary: string): Record<string, string> {
  return {
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    ...(process.platform === "win32" && {
      APPDATA: join(home, "AppData", "Roaming"),
      LOCALAPPDATA: join(home, "AppData", "Local"),
    }),
    // All homes share the cache of npm, so that npx does not download a package again for each scenario.
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), ".npm"),
  };
}
