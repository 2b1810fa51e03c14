import type { Message, RequestId, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import {
  type Budget,
  type Deferred,
  deferred,
  Holding,
  type JsonObject,
  settledWithin,
} from "@acp-kit/jsonrpc/internal";
import { createdSessionOf, createsSession, endsSession, opensSession, sessionIdOf } from "../wire/message-kind.js";
import { eventOf } from "../wire/sse-writer.js";
import { textOfMessage } from "../wire/text-of-message.js";
import { ClientRequests } from "./client-requests.js";
import { EventStream, type OpenedStream } from "./event-stream.js";
import type { AllServerLimits } from "./handler-options.js";
import { KeyedPosts } from "./keyed-posts.js";
import { PostAdmission } from "./post-admission.js";
import type { PostedMessage } from "./read-message.js";
import { Refusal } from "./refusal.js";
import type { Memory } from "./server-memory.js";
import { SessionStreams } from "./session-streams.js";

/** The options of an {@link HttpConnection}. */
export interface HttpConnectionOptions {
  readonly id: string;
  readonly memory: Memory;
  /** Whether the client opens a session's stream before its requests, and accepts all responses there. */
  readonly opensSessionsFirst: boolean;
  /** For other clients: whether the response to `session/load` uses the stream of its session. */
  readonly loadsInSession: boolean;
  readonly limits: AllServerLimits;
  /** Called once, when the connection ends. The caller then removes the connection, so that no request finds it. */
  readonly onEnd: () => void;
}

/**
 * - `initializing`: until the agent has responded to `initialize`.
 * - `open`: POSTs are delivered.
 * - `ending`: the client or the agent has closed the connection; queued messages are still sent.
 * - `ended`: nothing is delivered or sent any more.
 */
type ConnectionState = "initializing" | "open" | "ending" | "ended";

/** How long a closed connection waits until its client has read the rest of the streams, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

/** The maximum number of POSTs that wait until the agent reads. */
const MAX_WAITING_POSTS = 256;

/**
 * The connection of one client of streamable HTTP, as a transport for its agent. It delivers the client's POSTs, and
 * sends each message of the agent in the right stream.
 */
export class HttpConnection implements Transport {
  readonly id: string;
  readonly keyedPosts: KeyedPosts = new KeyedPosts();
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  /** The budget for the bodies of POSTs, and for the POSTs that wait. */
  readonly received: Budget;
  readonly #limits: AllServerLimits;
  readonly #opensSessionsFirst: boolean;
  readonly #loadsInSession: boolean;
  readonly #onEnd: () => void;
  readonly #connectionStream: EventStream;
  readonly #sessions: SessionStreams;
  readonly #clientRequests = new ClientRequests();
  readonly #admission: PostAdmission;
  readonly #ended = deferred();
  #state: ConnectionState = "initializing";
  #receiver: TransportReceiver | undefined;
  #initialize: { readonly id: RequestId; readonly response: Deferred<string | undefined> } | undefined;
  /** Requests of the agent in sessions that the client has not opened. They wait while a `session/new` is pending. */
  readonly #early: { readonly id: RequestId; readonly sessionId: string }[] = [];
  #paused = false;
  #waitingPosts: (() => void)[] = [];
  #queued = 0;
  /** The queued bytes, and what the streams need besides. */
  readonly #holding: Holding;
  readonly #budget: Budget;
  /** The bytes of streams and of sent frames that they keep. */
  #kept = 0;
  #room: Deferred<void> | undefined;
  #seen: number = performance.now();
  #closing: Promise<void> | undefined;

  constructor({ id, memory, opensSessionsFirst, loadsInSession, limits, onEnd }: HttpConnectionOptions) {
    this.id = id;
    this.ended = this.#ended.promise;
    this.received = memory.received;
    this.#budget = memory.queued;
    this.#holding = new Holding(memory.queued);
    this.#limits = limits;
    this.#opensSessionsFirst = opensSessionsFirst;
    this.#loadsInSession = loadsInSession;
    this.#onEnd = onEnd;
    const owner = {
      queued: (difference: number) => this.#queuedChanged(difference),
      kept: (difference: number) => this.#keptChanged(difference),
      readerChanged: () => this.#touch(),
    };
    this.#connectionStream = new EventStream(owner, limits.maxKeptChars);
    this.#sessions = new SessionStreams(owner, limits.maxSessionsPerConnection, limits.maxKeptChars);
    this.#admission = new PostAdmission({ limits, sessions: this.#sessions, clientRequests: this.#clientRequests });
  }

  /** Whether the agent has accepted `initialize` and neither side has closed. */
  get isOpen(): boolean {
    return this.#state === "open";
  }

  get hasEnded(): boolean {
    return this.#state === "ending" || this.#state === "ended";
  }

  // Methods for the agent.

  get full(): Promise<void> | undefined {
    return this.#room?.promise;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
  }

  send(message: Message, known?: string): number {
    if (this.#state === "ended") return 0;
    const text = known ?? textOfMessage(message);
    this.#route(message as unknown as JsonObject, text);
    const { maxQueuedBytes, maxUnsentBytes } = this.#limits;
    if (this.#queued > maxQueuedBytes) {
      this.fail(
        new Error(`More than ${maxQueuedBytes} bytes wait for a client that does not read them (maxQueuedBytes).`),
      );
    } else if (this.#queued > maxUnsentBytes && this.#budget.isOver) {
      const message = "Too many bytes wait for clients that do not read them (maxQueuedBytes), also for this one.";
      this.fail(new Error(message));
    }
    return text.length;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    while (!this.#paused && this.#waitingPosts.length > 0) this.#waitingPosts.shift()?.();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  // Methods for the client.

  /** Delivers `initialize`. Resolves with the text of the response; `undefined` if the agent ends without one. */
  initialize({ message, size }: PostedMessage): Promise<string | undefined> {
    const response = deferred<string | undefined>();
    this.#initialize = { id: message.id as RequestId, response };
    this.#deliver(message, size);
    return response.promise;
  }

  /**
   * Delivers one message to the agent. While the agent does not read, returns a promise that resolves at the delivery.
   *
   * @throws {Refusal} when the message is invalid, its header `Acp-Session-Id` is wrong, its session is not open, or a
   * limit is exceeded.
   */
  receive(posted: PostedMessage, sessionHeader: string | null): Promise<void> | undefined {
    this.#touch();
    if (this.#state !== "open") throw new Refusal(404, "The connection has ended.");
    const { size } = posted;
    if (this.#paused && this.#waitingPosts.length >= MAX_WAITING_POSTS) {
      const message = `${MAX_WAITING_POSTS} POSTs wait until the agent reads again.`;
      throw new Refusal(429, message, { headers: { "retry-after": "1" } });
    }
    const isNew = this.#admission.admit(posted, sessionHeader);
    if (!isNew) return undefined;
    if (!this.#paused && this.#waitingPosts.length === 0) {
      this.#deliver(posted.message, size);
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waitingPosts.push(() => {
        this.#deliver(posted.message, size);
        this.#touch();
        resolve();
      });
    });
  }

  /**
   * Opens the connection stream or the stream of a session. A client may open the stream before it loads the session.
   *
   * @throws {Refusal} 409 when the stream has another reader; 410 when its events are no longer kept; 429 when the
   * connection has too many sessions.
   */
  open(sessionId: string | null, lastId: string | undefined): Extract<OpenedStream, { is: "open" }> {
    this.#touch();
    const stream = sessionId === null ? this.#connectionStream : this.#sessionStream(sessionId, lastId);
    const opened = stream.open(lastId);
    if (opened.is === "open") return opened;
    if (opened.is === "busy") throw new Refusal(409, "This stream is open already: a stream can have only one reader.");
    throw new Refusal(410, "Events of this stream are lost: open a new connection and load the session.");
  }

  /** The client closes the connection. */
  end(): void {
    if (this.#state !== "open") return;
    this.#ending();
    this.#receiver?.ended();
  }

  /** Breaks the connection. The agent receives the error. */
  fail(error: unknown): void {
    if (this.#state === "ended") return;
    this.#finish();
    this.#receiver?.failed(error);
  }

  /** Checks the time limits, and sends keep-alives in quiet streams. Called about once a second. */
  sweep(): void {
    if (this.#state !== "open") return;
    const { idleTimeoutMs, stallTimeoutMs, keepAliveMs } = this.#limits;
    const streams = [this.#connectionStream, ...this.#sessions.all()];
    const isPresent = streams.some((stream) => stream.hasReader) || this.#waitingPosts.length > 0;
    if (!isPresent && performance.now() - this.#seen >= idleTimeoutMs) {
      this.fail(
        new Error(`The client has disconnected: it had no open stream for ${idleTimeoutMs} ms (idleTimeoutMs).`),
      );
      return;
    }
    this.#sessions.sweep(idleTimeoutMs, this.#clientRequests.createsSession);
    const isFull = this.#room !== undefined;
    if (streams.some((stream) => (stream.hasReader || isFull) && stream.isStalled(stallTimeoutMs))) {
      this.fail(
        new Error(`The client has read nothing for ${stallTimeoutMs} ms while messages wait (stallTimeoutMs).`),
      );
      return;
    }
    for (const stream of streams) stream.keepAlive(keepAliveMs);
    this.#clientRequests.sweep();
  }

  #sessionStream(sessionId: string, lastId: string | undefined): EventStream {
    // The client lost the stream and opens it again. Meanwhile the session may have been closed.
    const closed = lastId === undefined ? undefined : this.#sessions.closed(sessionId);
    return closed ?? this.#sessions.require(sessionId).stream;
  }

  #deliver(message: JsonObject, size: number): void {
    this.#receiver?.message(message, size);
  }

  #route(message: JsonObject, text: string): void {
    const { id, method } = message;
    if (typeof method !== "string") {
      this.#routeResponse(message, text);
      return;
    }
    const sessionId = sessionIdOf(message);
    const isUnwanted = sessionId !== undefined && !this.#sessions.isWanted(sessionId);
    const isEarly = id !== undefined && isUnwanted;
    if (isUnwanted && !this.#clientRequests.createsSession) {
      if (isEarly) this.#refuseRequest(id as RequestId);
      // The agent may send updates to a session that the client has just closed
      if (isEarly || this.#sessions.isClosed(sessionId)) return;
    }
    const session = sessionId === undefined ? undefined : this.#sessions.find(sessionId);
    // The pending `session/new` may create this session, so the request waits in the session's stream. If the limit of
    // sessions is reached, there is no such stream: the request uses the connection stream, which the client reads
    // immediately.
    if (isEarly && session !== undefined) this.#early.push({ id: id as RequestId, sessionId });
    if (id !== undefined) {
      this.#admission.agentRequested(id as RequestId, session === undefined ? undefined : sessionId);
    }
    (session?.stream ?? this.#connectionStream).push(eventOf(text));
  }

  /** Rejects a request of the agent in a session that the client has not opened, and would never read. */
  #refuseRequest(id: RequestId): void {
    const error = { code: -32_002, message: "Resource not found: the client has not opened the session" };
    const deliver = (): void => this.#deliver({ jsonrpc: "2.0", id, error }, 0);
    // The agent gets the error after its call of `send` has returned, and only while it reads.
    queueMicrotask(() => {
      if (this.#paused || this.#waitingPosts.length > 0) this.#waitingPosts.push(deliver);
      else deliver();
    });
  }

  /** After a session was created: rejects waiting requests of the agent in sessions that are still not open. */
  #refuseEarly(): void {
    if (this.#clientRequests.createsSession) return;
    for (const { id, sessionId } of this.#early.splice(0)) {
      if (this.#sessions.isWanted(sessionId)) continue;
      this.#sessions.drop(sessionId);
      this.#admission.agentSettled(id, sessionId);
      this.#refuseRequest(id);
    }
  }

  #routeResponse(message: JsonObject, text: string): void {
    const id = message.id as RequestId;
    if (this.#initialize !== undefined && this.#initialize.id === id) {
      const { response } = this.#initialize;
      this.#initialize = undefined;
      if ("result" in message) this.#state = "open";
      response.resolve(text);
      return;
    }
    // A request whose method is not a string: the client rejects it
    if (message.method !== undefined) this.#admission.agentRequested(id, undefined);
    const request = this.#clientRequests.settle(id);
    if (request === undefined) {
      // If the agent responds twice to a request, the second response is sent on the same stream as the first. The
      // client uses only the first.
      const first = this.#clientRequests.settled(id)?.sessionId;
      const stream = first === undefined ? undefined : this.#sessions.get(first)?.stream;
      (stream ?? this.#connectionStream).push(eventOf(text));
      return;
    }
    const { method, sessionId } = request;
    const created = sessionId === undefined || method === "session/fork" ? createdSessionOf(message) : undefined;
    const opened = created ?? (opensSession(method) && "result" in message ? sessionId : undefined);
    const session = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    if (session === undefined) this.#connectionStream.push(eventOf(text));
    else if (this.#opensSessionsFirst) session.stream.push(eventOf(text));
    else if (method === "session/load") this.#sendAfterReplay(session.stream, text);
    else if (session.state === "open" || session.stream.hasReader) session.stream.push(eventOf(text));
    else this.#connectionStream.push(eventOf(text));
    if (opened !== undefined) {
      const openedSession = this.#sessions.find(opened);
      if (openedSession !== undefined) openedSession.state = "open";
    } else if (sessionId !== undefined && endsSession(method) && "result" in message) {
      this.#sessions.close(sessionId);
    } else if (sessionId !== undefined) {
      this.#sessions.removeIfUnused(sessionId);
    }
    if (createsSession(method)) this.#refuseEarly();
  }

  /**
   * Sends the response to `session/load` after the replay, which is in the session's stream: in the same stream with
   * `loadsInSession`, otherwise in the connection stream, as the specification requires, when the socket has accepted
   * the replay. A client that does not read the replay gets the response after `stallTimeoutMs`.
   *
   * The response to a `session/resume` that replays, in version 2, needs no such care: it is in the session's stream.
   */
  #sendAfterReplay(stream: EventStream, text: string): void {
    if (!stream.hasReader)
      this.#connectionStream.push(eventOf(text)); // the client may open the session's stream after the response
    else if (this.#loadsInSession) stream.push(eventOf(text));
    else {
      const written = new Promise<void>((done) => stream.whenWritten(done));
      void settledWithin(this.#limits.stallTimeoutMs, written).then(() => this.#connectionStream.push(eventOf(text)));
    }
  }

  /** Counts what streams need besides queued frames. Returns whether they may need more. */
  #keptChanged(difference: number): boolean {
    this.#kept += difference;
    this.#holding.count(this.#queued + this.#kept);
    return this.#budget.hasRoom(1);
  }

  #queuedChanged(difference: number): void {
    this.#queued += difference;
    this.#holding.count(this.#queued + this.#kept);
    const { maxUnsentBytes } = this.#limits;
    if (this.#room === undefined) {
      if (this.#queued > maxUnsentBytes && this.#state !== "ended") this.#room = deferred();
    } else if (this.#queued <= maxUnsentBytes / 2) {
      this.#releaseRoom();
    }
  }

  #releaseRoom(): void {
    const room = this.#room;
    this.#room = undefined;
    room?.resolve();
  }

  #touch(): void {
    this.#seen = performance.now();
  }

  /** Begins the end of the connection: no request finds it any more, but queued messages may still be sent. */
  #ending(): void {
    if (this.#state === "ending" || this.#state === "ended") return;
    this.#state = "ending";
    this.#onEnd();
  }

  async #close(): Promise<void> {
    if (this.#state === "ended") return;
    this.#ending();
    this.resume();
    const streams = [this.#connectionStream, ...this.#sessions.all()];
    for (const stream of streams) stream.end();
    const read = Promise.all(
      streams
        .filter((stream) => stream.hasReader)
        .map((stream) => new Promise<void>((done) => stream.whenWritten(done))),
    );
    await settledWithin(CLOSE_TIMEOUT_MS, read);
    this.#finish();
  }

  #finish(): void {
    this.#ending();
    this.#state = "ended";
    for (const stream of [this.#connectionStream, ...this.#sessions.all()]) stream.destroy();
    this.#releaseRoom();
    this.#initialize?.response.resolve(undefined);
    this.#initialize = undefined;
    for (const deliver of this.#waitingPosts.splice(0)) deliver();
    this.#holding.release();
    this.#ended.resolve();
  }
}
