import { after } from "@acp-kit/jsonrpc";
import { type OrderComment, readOrderComment } from "../wire/sse-writer.js";
import type { EventStreamClient } from "./event-stream-client.js";

/**
 * The time in milliseconds for which messages of one stream wait for a mark or a response in the other stream. After this time, the waiting messages
 * are delivered.
 */
export const PARTNER_TIMEOUT_MS = 10_000;

/**
 * Delivers the response to `session/load` after the replay, although they arrive in different streams. The server writes a comment (a mark) into the
 * session's stream at the end of the replay. A comment before the response, in the connection stream, contains the number of this mark.
 */
export class ReplayOrder {
  /** Marks that arrived in their session's stream before the response that waits for them. */
  readonly #passed = new Map<string, () => void>();
  /** Responses that wait until the mark at the end of their replay arrives. */
  readonly #waiting = new Map<string, () => void>();
  /** The last mark of each session. A continued stream may repeat it. */
  readonly #seen = new Map<string, number>();
  #behind: string | undefined;

  /** Handles a comment in the connection stream. */
  connectionComment(comment: string): void {
    const order = readOrderComment(comment);
    if (order?.is === "behind") this.#behind = keyOf(order.sessionId, order.mark);
  }

  /** Handles a comment in a session's stream. Holds the stream if the mark arrives before the response. */
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

  /** Delivers a message of the connection stream, immediately or when the mark at the end of its replay has arrived. */
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

  /** Delivers the responses that wait for marks of a session whose stream has ended. */
  sessionEnded(sessionId: string): void {
    for (const [key, deliver] of this.#waiting) if (sessionOf(key) === sessionId) deliver();
  }

  /** Drops waiting responses and releases held streams. */
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

function sessionOf(key: string): string {
  return key.slice(key.indexOf(" ") + 1); // the key is the mark's number, a space and the session id, which may contain spaces
}
