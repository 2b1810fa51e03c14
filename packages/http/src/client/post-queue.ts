import { headerNames } from "../wire/header-names.js";
import { isRemoteError, type RemoteError } from "../wire/remote-error.js";
import { sessionHeader } from "../wire/session-header.js";
import type { RemoteAgentLimits } from "./http-agent-options.js";
import type { HttpReply } from "./http-reply.js";
import type { BegunResponse, HttpRequests } from "./http-requests.js";

/** A queued message. */
export interface QueuedPost {
  readonly text: string;
  readonly sessionId: string | undefined;
  /** The queue sends the message only after this promise has settled, for example after the session's stream was opened. */
  readonly before: Promise<unknown> | undefined;
}

/** The listener of a {@link PostQueue}. */
export interface PostQueueListener {
  /** The server has refused one message. The connection continues. */
  refused(post: QueuedPost, error: RemoteError): void;
  /** The queue has given up sending a message, so the connection has to end. Called at most once, after all other calls. */
  failed(error: RemoteError): void;
  /** A message has left the queue. */
  drained(): void;
}

/** The options of a {@link PostQueue}. */
export interface PostQueueOptions {
  readonly requests: HttpRequests;
  readonly limits: Required<RemoteAgentLimits>;
  readonly listener: PostQueueListener;
}

/**
 * - `waiting`: the connection has no id yet.
 * - `sending`: messages are sent.
 * - `ended`: nothing is sent any more.
 */
type QueueState =
  | { readonly is: "waiting" }
  | { readonly is: "sending"; readonly connectionId: string; readonly isNumbered: boolean }
  | { readonly is: "ended" };

/** The maximum number of repetitions of a POST while the server is busy. */
const MAX_BUSY_RETRIES = 8;

/**
 * Sends messages as POSTs, in order.
 *
 * A server of this package restores the order: the queue numbers the POSTs, sends several before the first one is
 * acknowledged, and repeats a POST that failed. With any other server, each POST waits for the response to the previous
 * POST. A POST that fails then ends the connection, because the server could execute a repeated POST twice.
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
  /** Functions that end the pauses before repeated POSTs. `end` calls them, because the timers of these pauses keep the process alive. */
  readonly #wakeUps = new Set<() => void>();

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
    this.#pump();
  }

  /** Begins to send the queued messages, on the connection with this id. With `isNumbered`, each POST has a sequence number. */
  open(connectionId: string, isNumbered: boolean): void {
    if (this.#state.is !== "waiting") return;
    this.#state = { is: "sending", connectionId, isNumbered };
    this.#pump();
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
      ...(post.sessionId !== undefined && sessionHeader(post.sessionId)),
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
    const { requests } = this.#options;
    const begun = await this.#post(post.text, headers, isNumbered);
    if (begun === undefined) return;
    if (begun.response.ok) {
      requests.finish(begun);
      return;
    }
    await this.#refused(post, begun);
    if (!isNumbered || this.#state.is !== "sending") return;
    // If a proxy or a limit of the server refused the POST, the server still waits for its number, and every later POST waits for it, too. Send the number with
    // an invalid message. The server refuses this message, or repeats its refusal of the first one: either way, the number has had its turn. Only after 429, the
    // server still waits for it.
    const taken = await this.#post("{}", headers, isNumbered);
    if (taken === undefined) return;
    if (taken.response.status !== 429) requests.finish(taken);
    else this.#failed(await requests.errorOf(taken, "POST"));
  }

  /** Sends a POST until it is accepted or finally refused. Returns its response; `undefined` if the queue has ended or has given up. */
  async #post(
    body: string,
    headers: Readonly<Record<string, string>>,
    isNumbered: boolean,
  ): Promise<BegunResponse | undefined> {
    const { requests, limits } = this.#options;
    const giveUpAt = performance.now() + limits.reconnectTimeoutMs;
    let delayMs = Math.min(100, limits.maxReconnectDelayMs);
    for (let busy = 0; this.#state.is === "sending"; ) {
      let retryMs: number | undefined;
      try {
        const begun = await requests.send({ method: "POST", headers, body, timeoutMs: limits.responseTimeoutMs });
        const { response } = begun;
        if (response.ok) return begun;
        if (!isNumbered || !mayRepeat(response) || performance.now() >= giveUpAt) {
          retryMs = busy < MAX_BUSY_RETRIES ? retryDelayOf(response) : undefined;
          if (retryMs === undefined) return begun;
          busy += 1;
        }
        requests.finish(begun);
      } catch (error) {
        const isFinal = !isNumbered || !isRemoteError(error) || error.code === "unauthorized";
        if (isFinal || performance.now() >= giveUpAt) {
          this.#failed(error as RemoteError);
          return undefined;
        }
      }
      if (this.#state.is !== "sending") return undefined;
      await this.#sleep(retryMs ?? delayMs);
      if (retryMs === undefined) delayMs = Math.min(delayMs * 2, limits.maxReconnectDelayMs);
    }
    return undefined;
  }

  #failed(error: RemoteError): void {
    if (this.#state.is === "sending") this.#options.listener.failed(error);
  }

  async #refused(post: QueuedPost, begun: BegunResponse): Promise<void> {
    const { requests, listener } = this.#options;
    const error = await requests.errorOf(begun, "POST");
    if (this.#state.is === "sending") listener.refused(post, error);
  }

  /** Waits for `ms` milliseconds, or until the queue ends. The timer keeps the process alive, because callers wait for the response. */
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

/** Returns how long to wait before a POST to a busy server is repeated; `undefined` if the refusal is final. */
function retryDelayOf({ status, headers }: HttpReply): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 30) * 1_000 : undefined;
}

/**
 * Whether to repeat a numbered POST with this response:
 *
 * - 408: its body did not arrive in time.
 * - 409: a POST with a lower number did not arrive in time. It is being repeated.
 * - 502 and above: a proxy can't reach the server at the moment. A server of this package adds `Retry-After` to each 503, and never responds to a message with a
 *   higher status.
 */
function mayRepeat({ status, headers }: HttpReply): boolean {
  if (status === 503) return headers.get("retry-after") === null;
  return status === 408 || status === 409 || status > 501;
}
