import type { MalformedInput } from "@acp-kit/jsonrpc";
import { after, type Deferred, deferred } from "@acp-kit/jsonrpc/internal";
import { BEFORE_FIRST_EVENT, standardHeaders } from "../wire/header-names.js";
import { isRemoteError, type RemoteError } from "../wire/remote-error.js";
import { SseReader } from "../wire/sse-reader.js";
import type { ConnectionChange } from "./connection-change.js";
import type { AllRemoteLimits } from "./http-agent-options.js";
import type { HttpReply } from "./http-reply.js";
import type { BegunResponse, HttpRequests } from "./http-requests.js";
import { nextDelay } from "./reconnect-delay.js";

/** The listener of an {@link EventStreamClient}. */
export interface EventStreamListener {
  event(data: string, size: number): void;
  malformed(input: MalformedInput): void;
  /** Reports the end of the stream, with an error if it broke and could not be continued. Called at most once. */
  ended(error: RemoteError | undefined): void;
  /** Reports that the stream broke and will be opened again, or that it is open again. */
  changed?(change: ConnectionChange): void;
}

/** The options of an {@link EventStreamClient}. */
export interface EventStreamClientOptions {
  readonly requests: HttpRequests;
  /** The headers that select the stream: `Acp-Connection-Id` and, for the stream of a session, `Acp-Session-Id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the server can continue a stream whose connection was lost, even before an event with an id. */
  readonly resumes: boolean;
  readonly limits: AllRemoteLimits;
}

/**
 * Reads one stream of a connection. If the stream breaks and its events have ids, the client opens the stream again and
 * continues after the last event that it received.
 */
export class EventStreamClient {
  /** Resolves when the first GET has a response or has failed. */
  readonly opened: Promise<void>;
  readonly #options: EventStreamClientOptions;
  readonly #opened = deferred();
  #lastId: string | undefined;
  #abort: (() => void) | undefined;
  #paused: Deferred<void> | undefined;
  #isKeptAlive = false;
  #isSilent = false;
  #lastBytes = 0;
  /** Whether the server ended the last response (the response did not break). */
  #endedInOrder = false;
  #stopWatch: () => void = () => {};
  #stopped = false;
  #wakeUp: () => void = () => {};

  constructor(options: EventStreamClientOptions) {
    this.#options = options;
    this.opened = this.#opened.promise;
  }

  /** Opens the stream and reads it to its end. */
  start(listener: EventStreamListener): void {
    void this.#run(listener);
  }

  /** When the last bytes arrived. While reading is paused, unread bytes may be waiting: the current time. */
  get lastSign(): number {
    return this.#paused === undefined ? this.#lastBytes : performance.now();
  }

  pause(): void {
    this.#paused ??= deferred();
    this.#stopWatch();
  }

  resume(): void {
    // The unread bytes arrive in a later iteration of the event loop
    if (this.#paused !== undefined) this.#lastBytes = performance.now();
    this.#paused?.resolve();
    this.#paused = undefined;
    if (this.#abort !== undefined) this.#watch(); // the read that runs may have begun before the pause
  }

  /** Ends the stream. The listener is not called any more, not even `ended`. */
  stop(): void {
    this.#stopped = true;
    this.#opened.resolve();
    this.#stopWatch();
    this.#abort?.();
    this.#wakeUp();
    this.resume();
  }

  async #run(listener: EventStreamListener): Promise<void> {
    const { limits } = this.#options;
    const maxDelayMs = limits.maxReconnectDelayMs;
    let delayMs = 0;
    let giveUpAt = Number.POSITIVE_INFINITY;
    for (let attempt = 0; !this.#stopped; attempt += 1) {
      const before = this.#lastId;
      const begunAt = performance.now();
      const outcome = await this.#read(listener, attempt > 0);
      this.#opened.resolve();
      if (this.#stopped) return;
      if (!this.#resumes || outcome.isFinal) {
        listener.ended(outcome.error);
        return;
      }
      const hasNews = this.#lastId !== before;
      if (hasNews || outcome.wasOpen) {
        // A server that ends each response at once must not keep the client busy
        delayMs = hasNews || performance.now() - begunAt >= maxDelayMs ? 0 : nextDelay(0, maxDelayMs);
        giveUpAt = Number.POSITIVE_INFINITY;
      }
      if (giveUpAt === Number.POSITIVE_INFINITY) giveUpAt = performance.now() + limits.reconnectTimeoutMs;
      if (performance.now() >= giveUpAt) {
        listener.ended(outcome.error);
        return;
      }
      listener.changed?.({ is: "lost", error: outcome.error });
      await this.#sleep(delayMs);
      delayMs = nextDelay(delayMs, maxDelayMs);
    }
  }

  get #resumes(): boolean {
    return this.#options.resumes || this.#lastId !== undefined;
  }

  async #read(listener: EventStreamListener, isAgain: boolean): Promise<StreamOutcome> {
    const { requests, headers, limits } = this.#options;
    let begun: BegunResponse;
    try {
      begun = await requests.send({
        method: "GET",
        headers: {
          ...headers,
          accept: "text/event-stream",
          ...(isAgain && { [standardHeaders.lastEventId]: this.#lastId ?? BEFORE_FIRST_EVENT }),
        },
        timeoutMs: limits.responseTimeoutMs,
      });
    } catch (error) {
      return {
        isFinal: isRemoteError(error) && error.code === "unauthorized",
        error: error as RemoteError,
        wasOpen: false,
      };
    }
    const { response, abort } = begun;
    if (this.#stopped) {
      abort();
      return { isFinal: true, error: undefined, wasOpen: false };
    }
    if (response.status !== 200) {
      const error = await requests.errorOf(begun, "GET");
      const isTemporary = response.status === 409 || response.status === 429 || response.status >= 500;
      // The server ended the previous response, and does not know the connection any more: it has closed the
      // connection. This is not an error.
      const isOrderly = isAgain && this.#endedInOrder && error.code === "connection_lost";
      return { isFinal: !isTemporary, error: isOrderly ? undefined : error, wasOpen: false };
    }
    if (
      !response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ||
      response.body === null
    ) {
      abort();
      const message = `GET ${requests.url} responded with ${response.headers.get("content-type")}, not with a stream of events.`;
      return { isFinal: true, error: requests.error("bad_response", message, { status: 200 }), wasOpen: false };
    }
    this.#opened.resolve();
    if (isAgain) listener.changed?.({ is: "restored" });
    this.#abort = abort;
    this.#endedInOrder = false;
    const error = await this.#readBody(listener, response.body);
    this.#stopWatch();
    this.#abort = undefined;
    abort();
    this.#endedInOrder = error === undefined;
    return { isFinal: false, error, wasOpen: true };
  }

  async #readBody(
    listener: EventStreamListener,
    body: NonNullable<HttpReply["body"]>,
  ): Promise<RemoteError | undefined> {
    const { requests, limits } = this.#options;
    const sse = new SseReader(
      {
        event: (data, size, id) => {
          this.#lastId = id ?? this.#lastId;
          if (!this.#stopped) listener.event(data, size);
        },
        comment: () => {
          this.#isKeptAlive = true;
        },
        tooLarge: (problem, excerpt, size, id) => {
          this.#lastId = id ?? this.#lastId;
          const message = `A message ${problem} and was skipped.`;
          if (!this.#stopped) listener.malformed({ kind: "too_large", message, excerpt, size });
        },
      },
      limits.maxMessageBytes,
    );
    const reader = body.getReader();
    this.#isSilent = false;
    try {
      for (;;) {
        await this.#paused?.promise;
        this.#watch();
        const { done, value } = await reader.read();
        if (this.#stopped || done || value === undefined) return undefined;
        this.#lastBytes = performance.now();
        sse.push(value);
      }
    } catch (cause) {
      if (this.#isSilent) {
        const message = `The stream of ${requests.url} was silent for ${limits.keepAliveTimeoutMs} ms.`;
        return requests.error("timeout", message, { cause });
      }
      return requests.error("stream_broken", `The stream of ${requests.url} broke.`, { cause });
    } finally {
      sse.stop();
    }
  }

  /** Aborts the response if no bytes arrive for `keepAliveTimeoutMs`. */
  #watch(): void {
    this.#stopWatch();
    if (!this.#isKeptAlive || this.#paused !== undefined || this.#stopped) return;
    this.#stopWatch = after(this.#options.limits.keepAliveTimeoutMs, () => {
      this.#isSilent = true;
      this.#abort?.();
    });
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      // The timer keeps the process alive, because callers wait for the connection
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

interface StreamOutcome {
  /** Whether another attempt to open the stream would fail too. */
  readonly isFinal: boolean;
  readonly error: RemoteError | undefined;
  /** Whether the server responded with a stream. */
  readonly wasOpen: boolean;
}
