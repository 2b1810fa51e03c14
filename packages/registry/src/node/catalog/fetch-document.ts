import { after, onAbort } from "@acp-kit/protocol/internal";
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
 * Fetches the text at a URL. If the server responds that the text has not changed, returns `cached` with a new
 * `checkedAt`.
 *
 * @throws {RegistryError} `unreachable` or `too_large`.
 */
export async function fetchDocument(
  url: string,
  cached: CachedDocument | undefined,
  options: FetchDocumentOptions,
): Promise<CachedDocument> {
  return withinTime(options, (signal) => fetchNow(url, cached, { ...options, signal }));
}

async function fetchNow(
  url: string,
  cached: CachedDocument | undefined,
  { maxBytes, now, headers, signal, fetch }: FetchDocumentOptions,
): Promise<CachedDocument> {
  const response = await fetchSecure(url, what, {
    headers: { accept: "application/json", ...headers, ...conditions(cached) },
    signal,
    fetch,
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

/**
 * Does some work with a signal that aborts with the caller's signal or when the time is over. `AbortSignal.any` is not
 * suitable: in Node 20, it does not keep a signal of `AbortSignal.timeout` alive, so after a garbage collection, the
 * time would never end.
 */
export async function withinTime<Result>(
  { signal, timeoutMs }: Pick<FetchDocumentOptions, "signal" | "timeoutMs">,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const timedOut = new DOMException(`no complete response within ${timeoutMs} ms`, "TimeoutError");
  const stopTimer = after(timeoutMs, () => limit.abort(timedOut), { keepAlive: true });
  const unlisten = onAbort(signal, () => limit.abort(signal?.reason));
  try {
    return await work(limit.signal);
  } finally {
    stopTimer();
    unlisten();
  }
}

function conditions(cached: CachedDocument | undefined): Record<string, string> {
  if (cached?.etag !== undefined) return { "if-none-match": cached.etag };
  return cached?.lastModified === undefined ? {} : { "if-modified-since": cached.lastModified };
}
