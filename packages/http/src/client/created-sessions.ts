import { after } from "@acp-kit/jsonrpc";
import { PARTNER_TIMEOUT_MS } from "./replay-order.js";

/** A session whose response has arrived, and what its stream has brought since. */
interface CreatedSession {
  readonly respond: () => void;
  readonly early: (() => void)[];
  /** Characters of the events in `early`. */
  length: number;
  readonly stop: () => void;
}

/**
 * Delivers what an agent has sent right behind the response that creates a session in the same turn of the event loop as that response, though it
 * comes in another stream, which the client opens only then. Without it these updates would arrive within the first prompt.
 *
 * Our server marks how far the new stream goes back when it is opened; the response waits for this mark.
 */
export class CreatedSessions {
  readonly #maxLength: number;
  readonly #waiting = new Map<string, CreatedSession>();

  /** `maxLength`: characters of events that wait for the mark; beyond it, nothing waits. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The response has arrived, and the stream of its session is being opened. */
  created(sessionId: string, respond: () => void): void {
    this.settle(sessionId); // a server that names one session twice: the first response is not lost
    const stop = after(PARTNER_TIMEOUT_MS, () => this.settle(sessionId));
    this.#waiting.set(sessionId, { respond, early: [], length: 0, stop });
  }

  /** An event of a session: it is delivered now, or behind the response. */
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

  /** The mark has arrived, or will not come: the response is delivered, and then what came before the mark. */
  settle(sessionId: string): void {
    const session = this.#waiting.get(sessionId);
    if (session === undefined) return;
    this.#waiting.delete(sessionId);
    session.stop();
    session.respond();
    for (const deliver of session.early) deliver();
  }

  /** Nothing is delivered any more. */
  stop(): void {
    for (const { stop } of this.#waiting.values()) stop();
    this.#waiting.clear();
  }
}
