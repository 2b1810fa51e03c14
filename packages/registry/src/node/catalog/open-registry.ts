import { checkOptions, limitsAmong, type OptionKinds } from "@acp-kit/protocol/internal";
import { RegistryError } from "../errors.js";
import { cacheDirectory, type Variables } from "../files/directories.js";
import { AgentRegistry, type LoadedSource } from "./agent-registry.js";
import { DocumentCache } from "./document-cache.js";
import { type LoadOptions, loadSource } from "./load-source.js";
import { type RegistrySource, sourceName } from "./registry-source.js";
import { registrySnapshot } from "./snapshot.js";

/** The public registry. On machines that have never reached the registry, the snapshot in this package replaces it. */
export const publicRegistry: RegistrySource = {
  name: "the public registry",
  url: "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json",
  snapshot: registrySnapshot,
};

/** The default of `maxAgeMs`. */
export const MAX_AGE_MS = 3_600_000;

/** The limits of a registry that are not options. Tests choose others. */
export interface FixedRegistryLimits {
  /** Maximum time to read a source, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of a registry, in bytes. */
  readonly maxBytes: number;
}

const fixedRegistryLimits: FixedRegistryLimits = { timeoutMs: 10_000, maxBytes: 16_777_216 };

/** Options of {@link openRegistry}. */
export interface OpenRegistryOptions {
  /** The sources; the first that contains an id describes the agent. Default: {@link publicRegistry}. */
  readonly sources?: readonly RegistrySource[];
  /** The directory of the cache. Default: `acp-kit/registry` in the user's cache directory. */
  readonly cacheDirectory?: string;
  /** Whether to send no requests. A cached registry of any age, or the snapshot, is used then. Default: `false`. */
  readonly offline?: boolean;
  /** Maximum age in milliseconds of a cached registry that is used without a request. Default: an hour. */
  readonly maxAgeMs?: number;
  /** The environment variables for the user's directories. Default: `process.env`. */
  readonly env?: Variables;
  readonly signal?: AbortSignal;
  /** Replaces the global `fetch`, for proxies. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Reads the registries of all sources concurrently and merges their agents. If a source can't be read, `sources` of the
 * result reports this, and the other sources are used.
 *
 * @throws {TypeError} for a limit that is `NaN` or negative.
 * @throws {RegistryError} when a `required` source can't be read. Rejects with the reason of an aborted signal.
 */
export async function openRegistry(options: OpenRegistryOptions = {}): Promise<AgentRegistry> {
  checkOptions("openRegistry", options, optionKinds);
  return openRegistryWith(options);
}

/** Does the same as {@link openRegistry}, with fixed limits that tests choose. */
export async function openRegistryWith(
  options: OpenRegistryOptions,
  fixed: Partial<FixedRegistryLimits> = {},
): Promise<AgentRegistry> {
  const { maxAgeMs } = limitsAmong("openRegistry", { maxAgeMs: MAX_AGE_MS }, options);
  const { timeoutMs, maxBytes } = { ...fixedRegistryLimits, ...fixed };
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

const optionKinds: OptionKinds<OpenRegistryOptions> = {
  sources: "value",
  cacheDirectory: "value",
  offline: "value",
  maxAgeMs: "value",
  env: "value",
  signal: "value",
  fetch: "function",
};

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
