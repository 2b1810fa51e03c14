import { RegistryError } from "../errors.js";
import { secureUrl, shown } from "./secure-url.js";

/** Options of {@link fetchSecure}. */
export interface FetchOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const maxRedirects = 10;

/**
 * Sends a GET request and follows redirects to URLs that {@link secureUrl} allows. Sends the headers only to the first
 * origin, because they may contain a token.
 *
 * @throws {RegistryError} `unreachable`, also for an aborted signal.
 */
export async function fetchSecure(from: string, what: string, options: FetchOptions = {}): Promise<Response> {
  const { signal, headers = {}, fetch = globalThis.fetch } = options;
  const first = secureUrl(from, what);
  let url = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const init = { redirect: "manual" as const, headers: url.origin === first.origin ? headers : {} };
    let response: Response;
    try {
      response = await fetch(url, { ...init, ...(signal && { signal }) });
    } catch (cause) {
      throw unreachable(`${what}: ${shown(url)} can't be reached (${reasonOf(cause)})`, cause);
    }
    const location = response.headers.get("location");
    if (response.status === 304 || response.status < 300 || response.status >= 400 || location === null)
      return response;
    await response.body?.cancel();
    const next = URL.canParse(location, url.href) ? new URL(location, url).href : location.slice(0, 200);
    url = secureUrl(next, what);
  }
  throw unreachable(`${what}: ${shown(first)} redirects more than ${maxRedirects} times`);
}

/** Returns the message of the cause of a failed `fetch`: Node's own message is only "fetch failed". */
export function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  const inner = cause instanceof Error ? cause : error;
  const { code } = inner as NodeJS.ErrnoException;
  return inner instanceof Error ? inner.message || code || inner.name : String(inner);
}

function unreachable(message: string, cause?: unknown): RegistryError {
  return new RegistryError("unreachable", `${message}.`, { cause });
}
