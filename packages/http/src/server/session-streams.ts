import { EventStream, type EventStreamOwner } from "./event-stream.js";
import { Refusal } from "./refusal.js";

/** A session of one connection. */
export interface SessionStream {
  readonly stream: EventStream;
  /**
   * - `pending`: a message contained the id of the session; the agent has not opened the session.
   * - `open`: the agent has opened the session with a response to `session/new`, `load`, `resume` or `fork`.
   */
  state: "pending" | "open";
  /** Whether the client has sent the session's id. Such a client reads the session's stream, or will read it. */
  isWanted: boolean;
}

/** The session streams of one connection, by session id. */
export class SessionStreams {
  readonly #owner: EventStreamOwner;
  readonly #maxKept: number;
  readonly #maxSessions: number;
  readonly #streams = new Map<string, SessionStream>();
  /**
   * The streams of closed sessions, the oldest first. The last frames of such a stream, for example the response to
   * `session/close`, may be lost with its reader, so the client can open the stream again.
   */
  readonly #closed = new Map<string, EventStream>();

  constructor(owner: EventStreamOwner, maxSessions: number, maxKept: number) {
    this.#owner = owner;
    this.#maxKept = maxKept;
    this.#maxSessions = maxSessions;
  }

  get(sessionId: string): SessionStream | undefined {
    return this.#streams.get(sessionId);
  }

  /** Returns a session. Adds an unknown one as pending; `undefined` if a limit of sessions or memory is reached. */
  find(sessionId: string): SessionStream | undefined {
    const known = this.#streams.get(sessionId);
    if (known !== undefined) return known;
    if (this.#streams.size >= this.#maxSessions || !this.#owner.kept(0)) return undefined;
    if (this.#streams.size + this.#closed.size >= this.#maxSessions) this.#dropOldestClosed();
    const created: SessionStream = {
      stream: new EventStream(this.#owner, this.#maxKept),
      state: "pending",
      isWanted: false,
    };
    this.#streams.set(sessionId, created);
    return created;
  }

  /**
   * Returns or adds a session whose id the client has sent.
   *
   * @throws {Refusal} 429 when the limit of sessions, or that of the memory of streams, is reached.
   */
  require(sessionId: string): SessionStream {
    const session = this.find(sessionId);
    if (session !== undefined) {
      session.isWanted = true;
      return session;
    }
    if (this.#streams.size < this.#maxSessions) {
      const message = "The streams of this caller hold too many bytes (maxQueuedBytes): read or close some.";
      throw new Refusal(429, message, { limit: "maxQueuedBytes", headers: { "retry-after": "5" } });
    }
    const message = `The connection has more than ${this.#maxSessions} sessions: close some.`;
    throw new Refusal(429, message, { limit: "maxSessionsPerConnection" });
  }

  /** Closes a session. Its stream ends when all queued frames have been sent. */
  close(sessionId: string): void {
    const session = this.#streams.get(sessionId);
    if (session === undefined) return;
    this.#streams.delete(sessionId);
    session.stream.end();
    this.#closed.get(sessionId)?.destroy();
    this.#closed.delete(sessionId);
    this.#closed.set(sessionId, session.stream);
  }

  /** Returns the stream of a closed session that the client has not opened again since. */
  closed(sessionId: string): EventStream | undefined {
    return this.isWanted(sessionId) ? undefined : this.#closed.get(sessionId);
  }

  /** Whether the client has closed the session and has not opened it again since. */
  isClosed(sessionId: string): boolean {
    return this.closed(sessionId) !== undefined;
  }

  /**
   * Drops the streams of closed sessions that had no reader for `ms` milliseconds. Also drops sessions to which the
   * agent has sent messages at least `ms` milliseconds ago, and which neither the client nor the agent has opened
   * since. While the client creates a session (`isCreating`), such a session may be the created one.
   */
  sweep(ms: number, isCreating: boolean): void {
    for (const [sessionId, { stream }] of this.#streams) {
      if (!isCreating && !this.isWanted(sessionId) && stream.isAbandoned(ms)) this.drop(sessionId);
    }
    for (const [sessionId, stream] of this.#closed) {
      if (!stream.isAbandoned(ms)) continue;
      stream.destroy();
      this.#closed.delete(sessionId);
    }
  }

  /** Whether the client reads a session's stream, or will: it has sent the id, or the agent has opened it. */
  isWanted(sessionId: string): boolean {
    const session = this.#streams.get(sessionId);
    return session !== undefined && (session.isWanted || session.state === "open");
  }

  /** Removes a session and drops the queued frames of its stream. */
  drop(sessionId: string): void {
    this.#streams.get(sessionId)?.stream.destroy();
    this.#streams.delete(sessionId);
  }

  /** Removes a pending session without a reader and without queued frames. */
  removeIfUnused(sessionId: string): void {
    const session = this.#streams.get(sessionId);
    if (session?.state === "pending" && !session.stream.hasReader && session.stream.isEmpty) this.drop(sessionId);
  }

  /** All streams, also those of closed sessions. */
  all(): EventStream[] {
    return [...Array.from(this.#streams.values(), ({ stream }) => stream), ...this.#closed.values()];
  }

  #dropOldestClosed(): void {
    for (const [sessionId, stream] of this.#closed) {
      stream.destroy();
      this.#closed.delete(sessionId);
      return;
    }
  }
}
