import type { IncomingSessionNotification, IncomingSessionUpdate } from "@acp-kit/schema";
import { Session, type SessionControl, type SessionHost } from "./session.js";

/** The sessions of one connection, and the updates that came before theirs. */
export class SessionRegistry {
  readonly #host: SessionHost;
  readonly #sessions = new Map<string, SessionControl>();
  #early: { sessionId: string; update: IncomingSessionUpdate }[] = [];
  #opening = 0;

  constructor(host: SessionHost) {
    this.#host = host;
  }

  get(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId)?.session;
  }

  /** The agent waits for an answer of ours from here until the returned function is called. */
  awaited(sessionId: string): () => void {
    return this.#sessions.get(sessionId)?.awaited() ?? (() => {});
  }

  isCancelling(sessionId: string): boolean {
    return this.#sessions.get(sessionId)?.cancelling() === true;
  }

  all(): Session[] {
    return [...this.#sessions.values()].map(({ session }) => session);
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  /**
   * Runs a request that creates a session. Meanwhile updates of sessions that nobody knows are kept: some agents send them
   * before the response.
   */
  async opening<Result>(request: () => Promise<Result>): Promise<Result> {
    this.#opening += 1;
    try {
      return await request();
    } finally {
      this.#opening -= 1;
      if (this.#opening === 0) for (const { sessionId } of this.#early.splice(0)) this.#unknown(sessionId);
    }
  }

  /** Adds a session, or finds it, and gives it what came early; `catchUp` tells it, once all who listen are there. */
  open(sessionId: string): SessionControl {
    let control = this.#sessions.get(sessionId);
    if (control === undefined) {
      control = Session.open(this.#host, sessionId);
      this.#sessions.set(sessionId, control);
    }
    const mine = this.#early.filter((early) => early.sessionId === sessionId);
    this.#early = this.#early.filter((early) => early.sessionId !== sessionId);
    control.keepEarly(mine.map(({ update }) => update));
    return control;
  }

  receive({ sessionId, update }: IncomingSessionNotification, size: number): void | PromiseLike<void> {
    const control = this.#sessions.get(sessionId);
    if (control !== undefined) return control.deliver(update, size);
    if (this.#opening > 0 && this.#early.length < this.#host.limits.maxEarlyUpdates)
      this.#early.push({ sessionId, update });
    else this.#unknown(sessionId);
  }

  #unknown(sessionId: string): void {
    const message = `An update for session ${sessionId} was dropped: this client doesn't know it`;
    this.#host.peer.report({ code: "unknown_session", message });
  }
}
