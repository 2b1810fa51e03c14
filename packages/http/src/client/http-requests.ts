import { after, prefixOf } from "@acp-kit/jsonrpc/internal";
import { plainUrl, RemoteError, type RemoteErrorCode } from "../wire/remote-error.js";
import type { CookieJar } from "./cookie-jar.js";
import { type Credentials, type CredentialsCache, headersOf } from "./credentials.js";
import type { HttpReply, ReplyReader, SendHttp } from "./http-reply.js";

/** The options of {@link HttpRequests}. */
export interface HttpRequestsOptions {
  readonly url: string;
  readonly sendHttp: SendHttp;
  readonly credentials: CredentialsCache;
  readonly cookies: CookieJar;
  readonly browserCredentials: "omit" | "same-origin" | "include";
}

/** An HTTP request that an {@link HttpRequests} sends. */
export interface OutgoingHttpRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The maximum time in milliseconds until the response begins. */
  readonly timeoutMs: number;
}

/** A response whose status and headers have arrived. */
export interface BegunResponse {
  readonly response: HttpReply;
  /** Aborts the response. */
  readonly abort: () => void;
  /** Forgets the request, because its whole response was read. Creating the event of an abort would take more time. */
  readonly finished: () => void;
  /** The maximum time in milliseconds until the body ends, if the body is not a stream of events. */
  readonly timeoutMs: number;
}

/** Sends the requests of one connection, with credentials, cookies and a deadline. */
export class HttpRequests {
  readonly url: string;
  readonly #options: HttpRequestsOptions;
  readonly #running = new Set<AbortController>();
  #closed = false;

  constructor(options: HttpRequestsOptions) {
    this.url = plainUrl(options.url);
    this.#options = options;
  }

  /**
   * Sends a request. Repeats it once with new credentials when the server responds 401.
   *
   * @throws {RemoteError} `unreachable` or `timeout`. A response with an error status is returned like any other.
   */
  async send(request: OutgoingHttpRequest): Promise<BegunResponse> {
    const { credentials } = this.#options;
    const current = await this.#credentials(credentials.get());
    const begun = await this.#sendWith(current, request);
    if (begun.response.status !== 401 || !credentials.canRenew) return begun;
    begun.abort();
    return this.#sendWith(await this.#credentials(credentials.renew(current)), request);
  }

  /** Aborts running requests. Later requests fail. */
  close(): void {
    this.#closed = true;
    for (const controller of this.#running) controller.abort();
  }

  async #credentials(loading: Promise<Credentials>): Promise<Credentials> {
    try {
      return await loading;
    } catch (cause) {
      throw new RemoteError("unauthorized", `The credentials for ${this.url} could not be obtained.`, {
        url: this.url,
        cause,
      });
    }
  }

  async #sendWith(credentials: Credentials, request: OutgoingHttpRequest): Promise<BegunResponse> {
    const { url, sendHttp, cookies, browserCredentials } = this.#options;
    const { method, headers, body, timeoutMs } = request;
    const controller = new AbortController();
    let isLate = false;
    const stop = after(timeoutMs, () => {
      isLate = true;
      controller.abort();
    });
    if (this.#closed) controller.abort();
    this.#running.add(controller);
    try {
      const response = await sendHttp(url, {
        method,
        headers: cookies.addTo({ ...headersOf(credentials), ...headers }),
        ...(body !== undefined && { body }),
        signal: controller.signal,
        credentials: browserCredentials,
        redirect: "error", // a redirect would send the credentials to another server
        cache: "no-store",
      });
      cookies.store(response.headers.getSetCookie?.() ?? []);
      return {
        response,
        timeoutMs,
        finished: () => void this.#running.delete(controller),
        abort: () => {
          this.#running.delete(controller);
          controller.abort(ended);
        },
      };
    } catch (cause) {
      this.#running.delete(controller);
      if (isLate) throw this.error("timeout", `${method} ${this.url} had no response for ${timeoutMs} ms.`, { cause });
      throw this.error("unreachable", `${method} ${this.url} failed: ${reasonOf(cause)}`, { cause });
    } finally {
      stop();
    }
  }

  /**
   * Reads the rest of a response, up to `MAX_BODY_CHARACTERS`, so that no abort is needed. An abort would reset the
   * HTTP/2 stream of the response, and servers limit resets: nghttp2 allows 1,000 resets at once and 33 more per
   * second, then ends the whole session.
   */
  finish(begun: BegunResponse): void {
    void beginningOf(begun);
  }

  /**
   * Returns the whole body of a response; `undefined` if it is longer than `maxBytes`.
   *
   * @throws {RemoteError} `stream_broken`, or `timeout` if the body does not end in time.
   */
  async bodyOf(begun: BegunResponse, maxBytes: number): Promise<string | undefined> {
    const { response, abort, finished, timeoutMs } = begun;
    let isLate = false;
    const stop = after(timeoutMs, () => {
      isLate = true;
      abort();
    });
    try {
      const body = await readBody(response, maxBytes);
      if (body === undefined) abort();
      else finished();
      return body;
    } catch (cause) {
      abort();
      if (isLate)
        throw this.error("timeout", `A response of ${this.url} did not end within ${timeoutMs} ms.`, { cause });
      throw this.error("stream_broken", `A response of ${this.url} broke: ${reasonOf(cause)}`, { cause });
    } finally {
      stop();
    }
  }

  error(
    code: RemoteErrorCode,
    message: string,
    details: { readonly status?: number; readonly body?: string; readonly cause?: unknown } = {},
  ): RemoteError {
    return new RemoteError(code, message, { url: this.url, ...details });
  }

  /** Creates the error for an unexpected status. The error contains the first characters of the body. */
  async errorOf(begun: BegunResponse, what: string): Promise<RemoteError> {
    const body = await beginningOf(begun);
    const { status } = begun.response;
    const sentence = sentenceOf(body);
    return this.error(codeOf(status), `${what} ${this.url} was refused with ${status}${sentence}`, { status, body });
  }
}

/**
 * The reason with which requests are aborted whose response is no longer needed. There is only one, because each POST
 * ends with an abort, and creating an error is slow.
 */
const ended = new DOMException("The request has ended", "AbortError");

const MAX_BODY_CHARACTERS = 8_192;

/** Reads the first `MAX_BODY_CHARACTERS` of a body, or what arrives in time. Then ends the request. */
async function beginningOf({ response, abort, finished, timeoutMs }: BegunResponse): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) {
    finished();
    return "";
  }
  const stop = after(timeoutMs, abort);
  const texts: string[] = [];
  const isWhole = await readUpTo(MAX_BODY_CHARACTERS, reader, texts);
  stop();
  if (isWhole) finished();
  else abort();
  return prefixOf(texts.join(""), MAX_BODY_CHARACTERS);
}

/** Reads a body into `texts` until it ends, breaks, or is this long. Returns whether the body has ended. */
async function readUpTo(maxCharacters: number, reader: ReplyReader, texts: string[]): Promise<boolean> {
  let decoder: TextDecoder | undefined; // created for the first bytes, because most responses to messages have none
  let length = 0;
  try {
    while (length < maxCharacters) {
      const { done, value } = await reader.read();
      if (done) return true;
      decoder ??= new TextDecoder();
      const text = decoder.decode(value, { stream: true });
      length += text.length;
      texts.push(text);
    }
    await reader.cancel();
  } catch {
    // The body is incomplete: the error shows the part that arrived.
  }
  return false;
}

async function readBody(response: HttpReply, maxBytes: number): Promise<string | undefined> {
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) return undefined;
  if (response.body === null) return undefined;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return text + decoder.decode();
    size += value.length;
    if (size > maxBytes) return undefined;
    text += decoder.decode(value, { stream: true });
  }
}

function codeOf(status: number): RemoteErrorCode {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404 || status === 410) return "connection_lost";
  return "refused";
}

/** Returns the message of the JSON-RPC error in the body of a refusal, or `"."` if there is none. */
function sentenceOf(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } };
    return typeof error?.message === "string" ? `: ${error.message.slice(0, 500)}` : ".";
  } catch {
    return ".";
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.cause.message !== "" ? cause.cause.message : cause.message;
}
