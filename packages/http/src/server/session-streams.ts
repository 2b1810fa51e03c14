import { EventStream, type EventStreamOptions, type EventStreamOwner } from "./event-stream.js";
import { Refusal } from "./refusal.js";

/** A session of one connection. */
export interface SessionStream {
  readonly stream: EventStream;
  /**
   * - `pending`: named by the client or the agent, and not opened yet.
   * - `open`: the agent has responded to `session/new`, `load`, `resume` or `fork` with it.
   */
  state: "pending" | "open";
  /** The client has named it: it reads the stream, or will. */
  isWanted: boolean;
  /** The number of events that its stream had when the client asked to load it: those behind them are the replay. */
  eventsBeforeLoad: number;
}

/** The session streams of one connection, by session id. */
export class SessionStreams {
  readonly #owner: EventStreamOwner;
  readonly #streamOptions: EventStreamOptions;
  readonly #maxSessions: number;
  readonly #streams = new Map<string, SessionStream>();

  constructor(owner: EventStreamOwner, maxSessions: number, streamOptions: EventStreamOptions) {
    this.#owner = owner;
    this.#streamOptions = streamOptions;
    this.#maxSessions = maxSessions;
  }

  get(sessionId: string): SessionStream | undefined {
    return this.#streams.get(sessionId);
  }

  /** The stream of a session; a new one is pending. `undefined` beyond the limit. */
  find(sessionId: string): SessionStream | undefined {
    const known = this.#streams.get(sessionId);
    if (known !== undefined) return known;
    if (this.#streams.size >= this.#maxSessions) return undefined;
    const created: SessionStream = {
      stream: new EventStream(this.#owner, this.#streamOptions),
      state: "pending",
      isWanted: false,
      eventsBeforeLoad: 0,
    };
    this.#streams.set(sessionId, created);
    return created;
  }

  /**
   * As {@link find}, for a client.
   *
   * @throws {Refusal} 429 beyond the limit.
   */
  require(sessionId: string): SessionStream {
    const session = this.find(sessionId);
    if (session !== undefined) {
      session.isWanted = true;
      return session;
    }
    const message = `The connection has more than ${this.#maxSessions} sessions: close some.`;
    throw new Refusal(429, message, { limit: "maxSessionsPerConnection" });
  }

  /** Removes a session, and ends its stream behind its queued frames. */
  remove(sessionId: string): void {
    const session = this.#streams.get(sessionId);
    if (session === undefined) return;
    this.#streams.delete(sessionId);
    session.stream.end();
  }

  /** Whether a client reads the stream of the session, or will: it has named the session, or the agent has opened it. */
  isWanted(sessionId: string): boolean {
    const session = this.#streams.get(sessionId);
    return session !== undefined && (session.isWanted || session.state === "open");
  }

  /** Removes a session with all that waits in its stream. */
  drop(sessionId: string): void {
    this.#streams.get(sessionId)?.stream.destroy();
    this.#streams.delete(sessionId);
  }

  /** Removes a session that was never opened and that nothing waits for. */
  removeIfUnused(sessionId: string): void {
    const session = this.#streams.get(sessionId);
    if (session?.state === "pending" && !session.stream.hasReader && session.stream.isEmpty) this.remove(sessionId);
  }

  all(): EventStream[] {
    return Array.from(this.#streams.values(), ({ stream }) => stream);
  }
}
