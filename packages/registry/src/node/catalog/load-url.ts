import { RegistryError } from "../errors.js";
import type { LoadedSource } from "./agent-registry.js";
import { decodeRegistry } from "./decode-registry.js";
import { decodedText } from "./decoded-text.js";
import type { CachedDocument, DocumentCache } from "./document-cache.js";
import { type FetchDocumentOptions, fetchDocument, withTimeout } from "./fetch-document.js";
import { fetchSecure } from "./fetch-secure.js";
import { readBody } from "./read-body.js";
import { checkSha256, checkSignature, sourceName, type UrlSource } from "./registry-source.js";

/** How a registry at a URL is cached. */
export interface UrlLoadOptions {
  readonly cache: DocumentCache;
  /** How long a cached text is used without a request, in milliseconds. */
  readonly maxAgeMs: number;
  readonly offline: boolean;
}

type Options = UrlLoadOptions & FetchDocumentOptions;

/**
 * Loads a registry at a URL: from the cache while it is current, else from the server. A text that is refused, or a server that can't
 * be reached, leaves the cached text in use, however old; without one, the snapshot of the source is used.
 *
 * @throws {RegistryError} when there is neither; the reason of an aborted signal.
 */
export async function loadUrl(source: UrlSource, options: Options): Promise<LoadedSource> {
  const { cache, maxAgeMs, offline, now, signal } = options;
  const key = `${source.url}\n${source.publicKey ?? ""}`; // a text that was not checked with this key is another text
  const name = sourceName(source);
  const cached = await cache.read(key);
  if (cached !== undefined && (offline || isCurrent(cached, maxAgeMs, now()))) return loaded(source, cached, "current");
  try {
    if (offline)
      throw new RegistryError(
        "unreachable",
        `The registry ${name} is not in the cache, and no request is sent offline.`,
      );
    const fetched = await fetchDocument(source.url, cached, { ...options, headers: source.headers });
    if (fetched.text !== cached?.text && source.publicKey !== undefined)
      await checkSigned(source, fetched.text, options);
    const result = loaded(source, fetched, "current");
    await cache.write(key, fetched);
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof RegistryError)) throw error;
    const failure = { path: "", message: error.message };
    if (cached !== undefined) {
      const stale = loaded(source, cached, "stale");
      return { ...stale, problems: [failure, ...stale.problems] };
    }
    const { snapshot } = source;
    if (snapshot === undefined || error.code !== "unreachable") throw error;
    const { document, problems } = decodeRegistry(snapshot.registry);
    const checkedAt = Date.parse(snapshot.takenOn);
    return { name, state: "snapshot", checkedAt, agents: document.agents, problems: [failure, ...problems] };
  }
}

/** A clock that was set back makes no text current for ever. */
function isCurrent({ checkedAt }: CachedDocument, maxAgeMs: number, now: number): boolean {
  return checkedAt <= now && now - checkedAt < maxAgeMs;
}

function loaded(source: UrlSource, { text, checkedAt }: CachedDocument, state: "current" | "stale"): LoadedSource {
  const name = sourceName(source);
  checkSha256(text, source.sha256, name);
  return { name, state, checkedAt, ...decodedText(text, name) };
}

async function checkSigned(source: UrlSource, text: string, options: Options): Promise<void> {
  const name = sourceName(source);
  const what = `The signature of the registry ${name} can't be read`;
  const { headers, publicKey = "" } = source;
  const response = await fetchSecure(`${source.url}.sig`, what, {
    headers,
    signal: withTimeout(options),
    fetch: options.fetch,
  });
  const signature = await readBody(response, 4_096, what);
  if (!response.ok) {
    throw new RegistryError(
      "checksum_mismatch",
      `${what}: the server responded with status ${response.status}. It is not used.`,
    );
  }
  checkSignature(text, signature, publicKey, name);
}
