import { RegistryError } from "../errors.js";
import type { CachedDocument } from "./document-cache.js";
import { fetchSecure } from "./fetch-secure.js";
import { readBody } from "./read-body.js";
import { shown } from "./secure-url.js";

/** Options of {@link fetchDocument}. */
export interface FetchDocumentOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly now: () => number;
}

const what = "The registry can't be read";

/**
 * Fetches the text at a URL. If the server responds that the text has not changed, returns `cached` with a new `checkedAt`.
 *
 * @throws {RegistryError} `unreachable` or `too_large`.
 */
export async function fetchDocument(
  url: string,
  cached: CachedDocument | undefined,
  options: FetchDocumentOptions,
): Promise<CachedDocument> {
  const { maxBytes, now } = options;
  const response = await fetchSecure(url, what, {
    headers: { accept: "application/json", ...options.headers, ...conditions(cached) },
    signal: withTimeout(options),
    fetch: options.fetch,
  });
  const at = now();
  if (response.status === 304 && cached !== undefined) return { ...cached, checkedAt: at };
  if (!response.ok) {
    await response.body?.cancel();
    throw new RegistryError("unreachable", `${what}: ${shown(new URL(url))} responded with status ${response.status}.`);
  }
  const text = await readBody(response, maxBytes, what);
  const [etag, lastModified] = [response.headers.get("etag"), response.headers.get("last-modified")];
  return { fetchedAt: at, checkedAt: at, text, ...(etag && { etag }), ...(lastModified && { lastModified }) };
}

/** Combines the caller's signal with the time limit. */
export function withTimeout({ signal, timeoutMs }: Pick<FetchDocumentOptions, "signal" | "timeoutMs">): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

function conditions(cached: CachedDocument | undefined): Record<string, string> {
  if (cached?.etag !== undefined) return { "if-none-match": cached.etag };
  return cached?.lastModified === undefined ? {} : { "if-modified-since": cached.lastModified };
}
