import { RegistryError } from "../errors.js";
import { cacheDirectory, type Variables } from "../files/directories.js";
import { AgentRegistry, type LoadedSource } from "./agent-registry.js";
import { DocumentCache } from "./document-cache.js";
import { type LoadOptions, loadSource } from "./load-source.js";
import { type RegistrySource, sourceName } from "./registry-source.js";
import { registrySnapshot } from "./snapshot.js";

/** The public registry, with the snapshot of this package for machines that have never reached it. */
export const publicRegistry: RegistrySource = {
  name: "the public registry",
  url: "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json",
  snapshot: registrySnapshot,
};

/** Default options of {@link openRegistry}. */
export const openRegistryDefaults = { maxAgeMs: 3_600_000, timeoutMs: 10_000, maxBytes: 16_777_216 } as const;

/** Options of {@link openRegistry}. {@link openRegistryDefaults} has the default of each limit. */
export interface OpenRegistryOptions {
  /** In order: an agent comes from the first source that has its id. Default: {@link publicRegistry}. */
  readonly sources?: readonly RegistrySource[];
  /** Where fetched registries are cached. Default: `acp-kit/registry` below the user's cache directory. */
  readonly cacheDirectory?: string;
  /** Sends no request: uses what is cached, however old, else the snapshot. */
  readonly offline?: boolean;
  /** How long a cached registry is used before the server is asked whether it has changed, in milliseconds; 0: always ask. (meant: is asked) */
  readonly maxAgeMs?: number;
  /** How long a source may take, in milliseconds. */
  readonly timeoutMs?: number;
  /** Maximum size of a registry, in bytes. */
  readonly maxBytes?: number;
  /** The environment that names the user's directories. Default: `process.env`. */
  readonly env?: Variables;
  readonly signal?: AbortSignal;
  /** Replaces the global `fetch`, for proxies. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Reads registries, all at once, and merges them in order. A source that can't be read is reported in `sources`, and the others are used,
 * unless it is `required`.
 *
 * @throws {RegistryError} when a required source can't be used; the reason of an aborted signal.
 */
export async function openRegistry(options: OpenRegistryOptions = {}): Promise<AgentRegistry> {
  const { maxAgeMs, timeoutMs, maxBytes } = { ...openRegistryDefaults, ...options };
  const directory = options.cacheDirectory ?? cacheDirectory(options.env);
  const load: LoadOptions = {
    cache: new DocumentCache(directory, maxBytes),
    maxAgeMs,
    timeoutMs,
    maxBytes,
    offline: options.offline === true,
    signal: options.signal,
    fetch: options.fetch,
    now: Date.now,
  };
  const sources = options.sources ?? [publicRegistry];
  return new AgentRegistry(await Promise.all(sources.map((source) => settled(source, load))));
}

async function settled(source: RegistrySource, load: LoadOptions): Promise<LoadedSource> {
  try {
    return await loadSource(source, load);
  } catch (error) {
    load.signal?.throwIfAborted();
    if (!(error instanceof RegistryError) || source.required) throw error;
    const problem = { path: "", message: error.message };
    return { name: sourceName(source), state: "unavailable", checkedAt: undefined, agents: [], problems: [problem] };
  }
}
