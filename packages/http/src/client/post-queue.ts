import { headerNames, standardHeaders } from "../wire/header-names.js";
import { isRemoteError, type RemoteError } from "../wire/remote-error.js";
import { sessionHeader } from "../wire/session-header.js";
import type { AllRemoteLimits } from "./http-agent-options.js";
import type { HttpReply } from "./http-reply.js";
import type { BegunResponse, HttpRequests } from "./http-requests.js";
import { nextDelay } from "./reconnect-delay.js";

/** A queued message. */
export interface QueuedPost {
  readonly text: string;
  readonly sessionId: string | undefined;
  /** The queue sends the message after this promise has settled, for example when the session's stream is open. */
  readonly before: Promise<unknown> | undefined;
}

/** The listener of a {@link PostQueue}. */
export interface PostQueueListener {
  /** The server has refused one message. The connection continues. */
  refused(post: QueuedPost, error: RemoteError): void;
  /** The queue has given up a message, so the connection has to end. Called at most once, as the last call. */
  failed(error: RemoteError): void;
  /** A message has left the queue. */
  drained(): void;
}

/** The options of a {@link PostQueue}. */
export interface PostQueueOptions {
  readonly requests: HttpRequests;
  readonly limits: AllRemoteLimits;
  readonly listener: PostQueueListener;
}

/**
 * - `waiting`: the connection has no id yet.
 * - `sending`: messages are sent. With `repeats`, the server executes a repeated POST once.
 * - `ended`: nothing is sent any more.
 */
type QueueState =
  | { readonly is: "waiting" }
  | { readonly is: "sending"; readonly connectionId: string; readonly repeats: boolean }
  | { readonly is: "ended" };

/** The maximum number of repetitions of a POST while the server is busy. */
const MAX_BUSY_RETRIES = 8;

/**
 * Sends messages as POSTs, one after the other, so that they arrive in order.
 *
 * If the server executes a repeated POST once, the queue repeats a POST that failed. With any other server, a POST that
 * fails ends the connection, because the server could execute a repeated POST twice.
 */
export class PostQueue {
  readonly #options: PostQueueOptions;
  #state: QueueState = { is: "waiting" };
  #posts: QueuedPost[] = [];
  #next = 0;
  #isSending = false;
  #sent = 0;
  #waitingLength = 0;
  #whenIdle: (() => void)[] = [];
  /** Ends the pause before a repeated POST. `end` calls it, because the timer of the pause keeps the process alive. */
  #wakeUp: () => void = () => {};

  constructor(options: PostQueueOptions) {
    this.#options = options;
  }

  /** The number of queued characters. */
  get waiting(): number {
    return this.#waitingLength;
  }

  add(post: QueuedPost): void {
    if (this.#state.is === "ended") return;
    this.#posts.push(post);
    this.#waitingLength += post.text.length;
    void this.#sendAll();
  }

  /** Begins to send, on the connection with this id. With `repeats`, the server executes a repeated POST once. */
  open(connectionId: string, repeats: boolean): void {
    if (this.#state.is !== "waiting") return;
    this.#state = { is: "sending", connectionId, repeats };
    void this.#sendAll();
  }

  /** Removes and returns all messages that were not sent. */
  takeAll(): QueuedPost[] {
    const posts = this.#posts.slice(this.#next);
    this.#posts = [];
    this.#next = 0;
    for (const { text } of posts) this.#waitingLength -= text.length;
    return posts;
  }

  /** Resolves when the server has acknowledged every message, or when the queue has ended. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  end(): void {
    this.#state = { is: "ended" };
    this.#posts = [];
    this.#next = 0;
    this.#waitingLength = 0;
    this.#wakeUp();
    this.#runWhenIdle();
  }

  get #isIdle(): boolean {
    return this.#state.is === "ended" || (!this.#isSending && this.#next === this.#posts.length);
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#state.is === "sending" && this.#next < this.#posts.length) {
      const post = this.#takeNext();
      if (post.before !== undefined) await post.before;
      if (this.#state.is !== "sending") break;
      await this.#send(post, this.#state.connectionId, this.#state.repeats);
      if (this.#state.is !== "sending") break;
      this.#waitingLength -= post.text.length;
      this.#options.listener.drained();
    }
    this.#isSending = false;
    if (this.#isIdle) this.#runWhenIdle();
  }

  #takeNext(): QueuedPost {
    const post = this.#posts[this.#next] as QueuedPost;
    this.#next += 1;
    if (this.#next * 2 > this.#posts.length) {
      this.#posts = this.#posts.slice(this.#next);
      this.#next = 0;
    }
    return post;
  }

  async #send(post: QueuedPost, connectionId: string, repeats: boolean): Promise<void> {
    const { requests, listener } = this.#options;
    this.#sent += 1;
    const headers = {
      "content-type": "application/json",
      [headerNames.connection]: connectionId,
      ...(post.sessionId !== undefined && sessionHeader(post.sessionId)),
      ...(repeats && { [standardHeaders.idempotencyKey]: `"${this.#sent}"` }),
    };
    const begun = await this.#post(post.text, headers, repeats);
    if (begun === undefined) return;
    if (begun.response.ok) {
      requests.finish(begun);
      return;
    }
    const error = await requests.errorOf(begun, "POST");
    if (this.#state.is === "sending") listener.refused(post, error);
  }

  async #post(
    body: string,
    headers: Readonly<Record<string, string>>,
    repeats: boolean,
  ): Promise<BegunResponse | undefined> {
    const { requests, limits, listener } = this.#options;
    const giveUpAt = performance.now() + limits.reconnectTimeoutMs;
    let delayMs = 0;
    for (let busy = 0; this.#state.is === "sending"; ) {
      let retryMs: number | undefined;
      try {
        const begun = await requests.send({ method: "POST", headers, body, timeoutMs: limits.responseTimeoutMs });
        const { response } = begun;
        if (response.ok) return begun;
        if (!repeats || !mayRepeat(response) || performance.now() >= giveUpAt) {
          retryMs = busy < MAX_BUSY_RETRIES ? retryDelayOf(response) : undefined;
          if (retryMs === undefined) return begun;
          busy += 1;
        }
        requests.finish(begun);
      } catch (error) {
        const isFinal = !repeats || !isRemoteError(error) || error.code === "unauthorized";
        if (isFinal || performance.now() >= giveUpAt) {
          if (this.#state.is === "sending") listener.failed(error as RemoteError);
          return undefined;
        }
      }
      if (this.#state.is !== "sending") return undefined;
      await this.#sleep(retryMs ?? delayMs);
      if (retryMs === undefined) delayMs = nextDelay(delayMs, limits.maxReconnectDelayMs);
    }
    return undefined;
  }

  /** Waits for `ms` milliseconds or the queue's end. Keeps the process alive, because callers wait. */
  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #runWhenIdle(): void {
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

/** Returns how long to wait before a POST to a busy server is repeated; `undefined` if the refusal is final. */
function retryDelayOf({ status, headers }: HttpReply): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 30) * 1_000 : undefined;
}

/**
 * Whether to repeat a POST with this response:
 *
 * - 408: its body did not arrive in time.
 * - 502 and above: a proxy can't reach the server at the moment. A server of this package adds `Retry-After` to each
 *   503, and never responds to a message with a higher status.
 */
function mayRepeat({ status, headers }: HttpReply): boolean {
  if (status === 503) return headers.get("retry-after") === null;
  return status === 408 || status > 501;
}
