import type { Diagnostic } from "@acp-kit/protocol";
import { shorten } from "@acp-kit/protocol/internal";
import type { IncomingSessionNotification } from "@acp-kit/types";
import type { BufferLimits } from "../limits.js";
import type { VersionConnection } from "../version.js";
import { LiveSession } from "./live-session.js";
import type { SessionClient } from "./session-client.js";
import type { RoutedState, SessionRouter } from "./session-router.js";
import { type EarlyUpdate, receive, receiveEarly, receiveOf } from "./updates.js";

/** Options of {@link Sessions}. */
export interface SessionsOptions {
  readonly report: (diagnostic: Diagnostic) => void;
  readonly limits: BufferLimits;
}

/**
 * Keeps the sessions of one client, and the updates that arrive for a session while it is being created. The object
 * exists before the first connection and outlives every connection.
 */
export class Sessions implements SessionRouter {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, LiveSession>();
  /**
   * The session of the last update. Most updates belong to the same session as the update before. Comparing its id is
   * faster than a look-up in the map, because a newly parsed string has no hash yet.
   */
  #latest: LiveSession | undefined;
  /** Closed sessions whose turn was cancelled and may still run. */
  readonly #ending = new Map<string, LiveSession>();
  #early: EarlyUpdate[] = [];
  #earlyBytes = 0;
  #opening = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get(sessionId: string): LiveSession | undefined {
    return this.#sessions.get(sessionId);
  }

  stateOf(sessionId: string): RoutedState | undefined {
    return this.#sessions.get(sessionId)?.state;
  }

  all(): LiveSession[] {
    return [...this.#sessions.values()];
  }

  /** Whether a request of the agent belongs to a turn that was cancelled, also if the session has been closed since. */
  isCancelling(sessionId: string, toolCallId: string | undefined): boolean {
    const turns = this.#sessions.get(sessionId)?.turns;
    if (turns?.version?.continues(toolCallId)) return false;
    if (turns?.current !== undefined) return turns.isCancelling;
    return turns?.isCancelling === true || this.#ending.get(sessionId)?.turns.isCancelling === true;
  }

  /**
   * Runs a request that creates a session. Until the response, updates of unknown sessions are buffered, because some
   * agents send updates before the response.
   */
  async opening<Result>(request: () => Promise<Result>): Promise<Result> {
    this.#opening += 1;
    try {
      return await request();
    } finally {
      this.#opening -= 1;
      if (this.#opening === 0) for (const { sessionId } of this.#takeEarly(() => true)) this.#unknown(sessionId);
    }
  }

  /**
   * Returns the session with this id, and creates it if necessary. Passes the buffered early updates to the session.
   * When the caller has added its listeners, `listeners.catchUp` delivers these updates.
   */
  open(sessionId: string, client: SessionClient): LiveSession {
    let session = this.#sessions.get(sessionId);
    if (session === undefined) {
      session = new LiveSession(client, sessionId);
      this.#sessions.set(sessionId, session);
    }
    if (this.#early.length > 0) {
      receiveEarly(
        session,
        this.#takeEarly((early) => early.sessionId === sessionId),
      );
    }
    return session;
  }

  /** Removes a session that was closed, or that could not be loaded. */
  forget(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    for (const [id, ending] of this.#ending) if (!ending.turns.isCancelling) this.#ending.delete(id);
    if (session?.turns.isCancelling) this.#ending.set(sessionId, session);
    if (session !== undefined) session.state.openedAs = undefined;
    this.#sessions.delete(sessionId);
    this.#latest = undefined;
  }

  /** Passes the notification `session/update` to its session. `version` is that of the connection, if it is not 1. */
  receive({ sessionId, update }: IncomingSessionNotification, size: number, version?: VersionConnection): unknown {
    const latest = this.#latest;
    const session = latest?.sessionId === sessionId ? latest : this.#sessions.get(sessionId);
    if (session !== undefined) {
      this.#latest = session;
      return version === undefined ? receive(session, update, size) : receiveOf(version, session, update, size);
    }
    if (this.#opening > 0) this.#keepEarly({ sessionId, update, size });
    else this.#unknown(sessionId);
    return undefined;
  }

  #takeEarly(isWanted: (early: EarlyUpdate) => boolean): EarlyUpdate[] {
    const taken = this.#early.filter(isWanted);
    this.#early = this.#early.filter((early) => !isWanted(early));
    this.#earlyBytes -= taken.reduce((sum, { size }) => sum + size, 0);
    return taken;
  }

  #keepEarly(early: EarlyUpdate): void {
    const { maxBufferedUpdates, maxBufferedBytes } = this.#options.limits;
    if (this.#early.length < maxBufferedUpdates && this.#earlyBytes + early.size <= maxBufferedBytes) {
      this.#early.push(early);
      this.#earlyBytes += early.size;
    } else this.#unknown(early.sessionId);
  }

  #unknown(sessionId: string): void {
    const message = `An update for session ${shorten(sessionId)} was dropped: this client doesn't know the session`;
    this.#options.report({ code: "unknown_session", message });
  }
}
