import { RegistryError } from "../errors.js";
import type { LoadedSource } from "./agent-registry.js";
import { decodeRegistry } from "./decode-registry.js";
import { decodedText } from "./decoded-text.js";
import type { CachedDocument, DocumentCache } from "./document-cache.js";
import { type FetchDocumentOptions, fetchDocument, withinTime } from "./fetch-document.js";
import { fetchSecure } from "./fetch-secure.js";
import { readBody } from "./read-body.js";
import { checkSha256, checkSignature, sourceName, type UrlSource } from "./registry-source.js";

/** The cache settings for a registry at a URL. */
export interface UrlLoadOptions {
  readonly cache: DocumentCache;
  /** Maximum age of a cached text that is used without a request, in milliseconds. */
  readonly maxAgeMs: number;
  readonly offline: boolean;
}

type Options = UrlLoadOptions & FetchDocumentOptions;

/**
 * Loads the registry of a URL: from the cache while the cached text is current, otherwise from the server. If the
 * server can't be reached, or its response is refused, uses the cached text at any age. Without a cached text, uses the
 * snapshot of the source if the server can't be reached.
 *
 * @throws {RegistryError} when neither a response, a cached text nor a snapshot can be used. Rejects with the reason of
 * an aborted signal.
 */
export async function loadUrl(source: UrlSource, options: Options): Promise<LoadedSource> {
  const { cache, maxAgeMs, offline, now, signal } = options;
  // The key contains the public key and the checksum that verify the text. So a cached text that was verified with
  // another key or checksum is not used.
  const key = [source.url, source.publicKey ?? "", ...(source.sha256 === undefined ? [] : [source.sha256])].join("\n");
  const name = sourceName(source);
  const cached = await cache.read(key);
  if (cached !== undefined && (offline || isCurrent(cached, maxAgeMs, now()))) return loaded(source, cached, "current");
  try {
    if (offline)
      throw new RegistryError(
        "unreachable",
        `The registry ${name} is not in the cache, and offline mode sends no request.`,
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
    const { takenOn, source: origin } = snapshot;
    return {
      name,
      state: "snapshot",
      checkedAt,
      snapshot: { takenOn, source: origin },
      agents: document.agents,
      problems: [failure, ...problems],
    };
  }
}

/** Whether a cached text is current. With `checkedAt` in the future (the clock was set back), it is not. */
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
  const url = new URL(source.url);
  url.pathname += ".sig";
  const signature = await withinTime(options, async (signal) => {
    const response = await fetchSecure(url.href, what, { headers, signal, fetch: options.fetch });
    if (response.ok) return readBody(response, 4_096, what);
    await response.body?.cancel();
    throw new RegistryError(
      "checksum_mismatch",
      `${what}: the server responded with status ${response.status}. The registry is not used.`,
    );
  });
  checkSignature(text, signature, publicKey, name);
}
