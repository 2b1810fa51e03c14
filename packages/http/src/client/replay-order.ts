import { after } from "@acp-kit/jsonrpc";
import { type OrderComment, readOrderComment } from "../wire/sse-writer.js";
import type { EventStreamClient } from "./event-stream-client.js";

/** How long one of two streams waits for the other. The other is broken then, and its own limits end it. */
export const PARTNER_TIMEOUT_MS = 10_000;

/**
 * Delivers the response to `session/load` behind the replay, though both arrive in streams that may overtake each other. The server marks the end of
 * the replay in the stream of the session; the response names the mark.
 */
export class ReplayOrder {
  /** Marks that have passed in the stream of their session, and whose response has not. */
  readonly #passed = new Map<string, () => void>();
  /** Responses that wait for their mark. */
  readonly #waiting = new Map<string, () => void>();
  /** The last mark seen of each session: a stream that continues may repeat it. */
  readonly #seen = new Map<string, number>();
  #behind: string | undefined;

  /** A comment in the connection stream. */
  connectionComment(comment: string): void {
    const order = readOrderComment(comment);
    if (order?.is === "behind") this.#behind = keyOf(order.sessionId, order.mark);
  }

  /** A comment in the stream of a session, which waits when it is ahead of the response. */
  sessionComment(sessionId: string, order: OrderComment, stream: EventStreamClient): void {
    if (order.is !== "mark" || order.mark <= (this.#seen.get(sessionId) ?? 0)) return;
    this.#seen.set(sessionId, order.mark);
    const key = keyOf(sessionId, order.mark);
    const deliver = this.#waiting.get(key);
    if (deliver !== undefined) {
      deliver();
      return;
    }
    stream.hold();
    const stop = after(PARTNER_TIMEOUT_MS, () => this.#release(key));
    this.#passed.set(key, () => {
      stop();
      stream.release();
    });
  }

  /** Delivers a message of the connection stream: at once, or when its mark has passed. */
  connectionEvent(deliver: () => void): void {
    const key = this.#behind;
    this.#behind = undefined;
    if (key === undefined) {
      deliver();
      return;
    }
    if (this.#passed.has(key)) {
      deliver();
      this.#release(key);
      return;
    }
    const once = (): void => {
      if (!this.#waiting.delete(key)) return;
      stop();
      deliver();
    };
    const stop = after(PARTNER_TIMEOUT_MS, once);
    this.#waiting.set(key, once);
  }

  /** The stream of a session is over: its marks will not come. */
  sessionEnded(sessionId: string): void {
    for (const [key, deliver] of this.#waiting) if (key.endsWith(` ${sessionId}`)) deliver();
  }

  /** Nothing is delivered any more. */
  stop(): void {
    for (const release of this.#passed.values()) release();
    this.#passed.clear();
    this.#waiting.clear();
  }

  #release(key: string): void {
    const release = this.#passed.get(key);
    this.#passed.delete(key);
    release?.();
  }
}

function keyOf(sessionId: string, mark: number): string {
  return `${mark} ${sessionId}`;
}
