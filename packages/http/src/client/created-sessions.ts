import { after } from "@acp-kit/jsonrpc";
import { PARTNER_TIMEOUT_MS } from "./replay-order.js";

/** A session whose `session/new` response has arrived but is not delivered yet, with the events that have arrived in the session's stream. */
interface CreatedSession {
  readonly respond: () => void;
  readonly early: (() => void)[];
  /** The number of characters of the events in `early`. */
  length: number;
  readonly stop: () => void;
}

/**
 * An agent can send updates immediately after the response that creates a session. This class delivers that response and
 * these updates together, in one iteration of the event loop. The updates arrive in another stream, which the client opens
 * only after the response. Without this class, the application would receive the updates only during the first prompt.
 *
 * When the client opens the stream, a server of this package sends the events that are queued in it, and then a comment (a mark). This class holds the
 * response until the mark arrives.
 */
export class CreatedSessions {
  readonly #maxLength: number;
  readonly #waiting = new Map<string, CreatedSession>();

  /** @param maxLength how many characters of events are held for a session. If more arrive before the mark, the response and the events are delivered. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Holds the response that creates a session until {@link settle}. The caller opens the stream of the session. */
  created(sessionId: string, respond: () => void): void {
    this.settle(sessionId); // if a server names one session twice, the first response must not be lost
    const stop = after(PARTNER_TIMEOUT_MS, () => this.settle(sessionId));
    this.#waiting.set(sessionId, { respond, early: [], length: 0, stop });
  }

  /** Delivers an event of a session. If the response that creates the session is not delivered yet, the event is delivered after it. */
  event(sessionId: string, length: number, deliver: () => void): void {
    const session = this.#waiting.get(sessionId);
    if (session === undefined) {
      deliver();
      return;
    }
    session.early.push(deliver);
    session.length += length;
    if (session.length > this.#maxLength) this.settle(sessionId);
  }

  /** Delivers the response, and then the events before the mark. The caller calls this method when the mark has arrived, or can't arrive any more. */
  settle(sessionId: string): void {
    const session = this.#waiting.get(sessionId);
    if (session === undefined) return;
    this.#waiting.delete(sessionId);
    session.stop();
    session.respond();
    for (const deliver of session.early) deliver();
  }

  /** Drops all held responses and events. */
  stop(): void {
    for (const { stop } of this.#waiting.values()) stop();
    this.#waiting.clear();
  }
}
