import { headerNames } from "../wire/header-names.js";
import { isRemoteError, type RemoteError } from "../wire/remote-error.js";
import type { RemoteAgentLimits } from "./http-agent-options.js";
import type { BegunResponse, HttpRequests } from "./http-requests.js";

/** A message that waits to be sent. */
export interface QueuedPost {
  readonly text: string;
  readonly sessionId: string | undefined;
  /** What has to happen before it is sent, such as the opening of its stream. */
  readonly before: Promise<unknown> | undefined;
}

/** What a {@link PostQueue} reports. */
export interface PostQueueListener {
  /** The server has refused one message; the connection lives. */
  refused(post: QueuedPost, error: RemoteError): void;
  /** Whether a message reached the server is not known, and it can't be sent again. At most once, and last. */
  failed(error: RemoteError): void;
  /** There is room in the queue. */
  drained(): void;
}

/** How a {@link PostQueue} sends. */
export interface PostQueueOptions {
  readonly requests: HttpRequests;
  readonly limits: Required<RemoteAgentLimits>;
  readonly listener: PostQueueListener;
}

/**
 * - `waiting`: the connection has no id yet.
 * - `sending`: messages leave.
 * - `ended`: nothing is sent any more.
 */
type QueueState =
  | { readonly is: "waiting" }
  | { readonly is: "sending"; readonly connectionId: string; readonly isNumbered: boolean }
  | { readonly is: "ended" };

/** How often a POST is repeated while the server is busy. */
const MAX_BUSY_RETRIES = 8;

/**
 * Sends messages as POSTs, in order.
 *
 * To a server that restores the order, POSTs are numbered, several are on their way at once, and one that failed is sent again. To any other,
 * each waits for the response to the one before it, and one that failed ends the connection: sending it again could execute it twice.
 */
export class PostQueue {
  readonly #options: PostQueueOptions;
  #state: QueueState = { is: "waiting" };
  #posts: QueuedPost[] = [];
  #next = 0;
  #inFlight = 0;
  #starting = false;
  #sent = 0;
  #waitingLength = 0;
  #whenIdle: (() => void)[] = [];
  /** Ends the pauses before POSTs that are repeated: their timers would keep a process alive. */
  readonly #wakeUps = new Set<() => void>();

  constructor(options: PostQueueOptions) {
    this.#options = options;
  }

  /** Characters that wait. */
  get waiting(): number {
    return this.#waitingLength;
  }

  add(post: QueuedPost): void {
    if (this.#state.is === "ended") return;
    this.#posts.push(post);
    this.#waitingLength += post.text.length;
    this.#pump();
  }

  /** The connection has an id: queued messages are sent. */
  open(connectionId: string, isNumbered: boolean): void {
    if (this.#state.is !== "waiting") return;
    this.#state = { is: "sending", connectionId, isNumbered };
    this.#pump();
  }

  /** Takes all messages that were not sent. */
  takeAll(): QueuedPost[] {
    const posts = this.#posts.slice(this.#next);
    this.#posts = [];
    this.#next = 0;
    for (const { text } of posts) this.#waitingLength -= text.length;
    return posts;
  }

  /** Resolves when everything was acknowledged, or nothing will be. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  end(): void {
    this.#state = { is: "ended" };
    this.#posts = [];
    this.#next = 0;
    this.#waitingLength = 0;
    for (const wakeUp of this.#wakeUps) wakeUp();
    this.#runWhenIdle();
  }

  get #isIdle(): boolean {
    if (this.#state.is === "ended") return true;
    return this.#inFlight === 0 && this.#next === this.#posts.length;
  }

  #pump(): void {
    const state = this.#state;
    if (state.is !== "sending" || this.#starting) return;
    const limit = state.isNumbered ? this.#options.limits.maxPostsInFlight : 1;
    while (this.#inFlight < limit && this.#next < this.#posts.length) {
      const post = this.#posts[this.#next] as QueuedPost;
      if (post.before === undefined) {
        this.#start(state.connectionId, state.isNumbered);
        continue;
      }
      this.#starting = true;
      void post.before.then(() => {
        this.#starting = false;
        if (this.#state.is !== "sending") return;
        this.#start(state.connectionId, state.isNumbered);
        this.#pump();
      });
      return;
    }
  }

  #start(connectionId: string, isNumbered: boolean): void {
    const post = this.#posts[this.#next] as QueuedPost;
    this.#next += 1;
    if (this.#next === this.#posts.length) {
      this.#posts = [];
      this.#next = 0;
    } else if (this.#next > 1_024 && this.#next * 2 > this.#posts.length) {
      this.#posts = this.#posts.slice(this.#next);
      this.#next = 0;
    }
    this.#inFlight += 1;
    this.#sent += 1;
    const headers = {
      "content-type": "application/json",
      [headerNames.connection]: connectionId,
      ...(post.sessionId !== undefined && { [headerNames.session]: post.sessionId }),
      ...(isNumbered && { [headerNames.sequence]: String(this.#sent) }),
    };
    void this.#send(post, headers, isNumbered).then(() => {
      this.#inFlight -= 1;
      this.#waitingLength -= post.text.length;
      if (this.#state.is === "ended") return;
      this.#options.listener.drained();
      this.#pump();
      if (this.#isIdle) this.#runWhenIdle();
    });
  }

  async #send(post: QueuedPost, headers: Readonly<Record<string, string>>, isNumbered: boolean): Promise<void> {
    const { requests, limits, listener } = this.#options;
    const giveUpAt = performance.now() + limits.reconnectTimeoutMs;
    let delayMs = Math.min(100, limits.maxReconnectDelayMs);
    for (let busy = 0; this.#state.is === "sending"; ) {
      try {
        const { responseTimeoutMs: timeoutMs } = limits;
        const begun = await requests.send({ method: "POST", headers, body: post.text, timeoutMs });
        const { status } = begun.response;
        if (status >= 200 && status < 300) {
          requests.finish(begun, timeoutMs);
          return;
        }
        if (isNumbered && isFromProxy(begun.response) && performance.now() < giveUpAt) {
          requests.finish(begun, timeoutMs);
          await this.#sleep(delayMs);
          delayMs = Math.min(delayMs * 2, limits.maxReconnectDelayMs);
          continue;
        }
        const retryMs = busy < MAX_BUSY_RETRIES ? retryDelayOf(begun.response) : undefined;
        if (retryMs === undefined) {
          await this.#refused(post, begun);
          return;
        }
        busy += 1;
        requests.finish(begun, timeoutMs);
        await this.#sleep(retryMs);
      } catch (error) {
        if (this.#state.is !== "sending") return;
        const mayRetry = isNumbered && isRemoteError(error) && error.code !== "unauthorized";
        if (!mayRetry || performance.now() >= giveUpAt) {
          listener.failed(error as RemoteError);
          return;
        }
        await this.#sleep(delayMs);
        delayMs = Math.min(delayMs * 2, limits.maxReconnectDelayMs);
      }
    }
  }

  async #refused(post: QueuedPost, begun: BegunResponse): Promise<void> {
    const { requests, listener } = this.#options;
    const error = await requests.errorOf(begun, "POST");
    if (this.#state.is === "sending") listener.refused(post, error);
  }

  /** Until the time is over, or the queue has ended. It keeps the process alive: callers wait for the response. */
  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wakeUp = (): void => {
        clearTimeout(timer);
        this.#wakeUps.delete(wakeUp);
        resolve();
      };
      const timer = setTimeout(wakeUp, ms);
      this.#wakeUps.add(wakeUp);
    });
  }

  #runWhenIdle(): void {
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

/** How long to wait before a POST to a busy server is repeated; `undefined` when it has refused for good. */
function retryDelayOf({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 30) * 1_000 : undefined;
}

/**
 * Whether a proxy responded because it can't reach the server at the moment. Our servers send 503 only with `Retry-After`, and never 502 or 504
 * to a message.
 */
function isFromProxy({ status, headers }: Response): boolean {
  return status === 502 || status === 504 || (status === 503 && !headers.has("retry-after"));
}
