import type { IncomingSessionUpdate } from "@acp-kit/types";
import type { UpdateContext, UpdateListener } from "./session.js";
import type { SessionClient } from "./session-client.js";

const noListeners: readonly UpdateListener[] = [];

/** An update and its context. */
interface BufferedUpdate {
  readonly update: IncomingSessionUpdate;
  readonly context: UpdateContext;
}

/**
 * Delivers the updates of a session to the connection's listener, then to the session's own listeners: one update at a
 * time, in the order in which they arrived.
 *
 * While there is no listener, updates that belong to no prompt of this client are buffered, up to a limit, for the
 * first listener.
 */
export class UpdateListeners {
  readonly #client: Pick<SessionClient, "report" | "onUpdate" | "limits">;
  readonly #sessionId: string;
  /**
   * The listeners. The array is replaced and never changed, because a listener may remove itself while the others are
   * being called.
   */
  #listeners: readonly UpdateListener[] = noListeners;
  #buffered: BufferedUpdate[] | undefined;
  #bufferedBytes = 0;
  #catchingUp: Promise<void> | undefined;

  constructor(client: Pick<SessionClient, "report" | "onUpdate" | "limits">, sessionId: string) {
    this.#client = client;
    this.#sessionId = sessionId;
  }

  /**
   * While buffered updates are being delivered, a promise that resolves when all have been delivered; otherwise
   * `undefined`.
   */
  get catchingUp(): Promise<void> | undefined {
    return this.#catchingUp;
  }

  add(listener: UpdateListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    this.catchUp();
    let isAdded = true;
    return () => {
      if (!isAdded) return;
      isAdded = false; // the same function may listen twice
      this.#listeners = this.#listeners.toSpliced(this.#listeners.indexOf(listener), 1);
    };
  }

  /** Delivers an update. Returns a promise only if a listener returns one. */
  deliver(update: IncomingSessionUpdate, context: UpdateContext, size: number): unknown {
    const first = this.#client.onUpdate;
    if (this.#catchingUp !== undefined) return this.#catchingUp.then(() => this.#notify(update, context));
    if (this.#listeners.length > 0) return this.#notify(update, context);
    if (first !== undefined) return first(update, context);
    if (context.turn?.isJoined !== false) this.buffer(update, context, size);
    return undefined;
  }

  /** Buffers an update; see {@link catchUp}. */
  buffer(update: IncomingSessionUpdate, context: UpdateContext, size: number): void {
    const { maxBufferedUpdates, maxBufferedBytes } = this.#client.limits;
    const count = this.#buffered?.length ?? 0;
    if (count < maxBufferedUpdates && this.#bufferedBytes + size <= maxBufferedBytes) {
      this.#buffered ??= [];
      this.#buffered.push({ update, context });
      this.#bufferedBytes += size;
    } else
      this.#report(
        "update_dropped",
        `Session ${this.#sessionId} has no listener, and its buffer is full: an update was dropped`,
      );
  }

  /**
   * Delivers the buffered updates, in order, if there is a listener now. Updates that arrive during the delivery are
   * delivered after them.
   */
  catchUp(): void {
    const buffered = this.#buffered;
    if (!this.#hasListeners || buffered === undefined || this.#catchingUp !== undefined) return;
    this.#buffered = undefined;
    this.#bufferedBytes = 0;
    const deliverAll = async (): Promise<void> => {
      for (const { update, context } of buffered) {
        try {
          await this.#notify(update, context);
        } catch (cause) {
          this.#report("handler_failed", `A listener of session ${this.#sessionId} failed`, cause);
        }
      }
    };
    // Reset here and not in `deliverAll`, which can finish before its promise is assigned.
    this.#catchingUp = deliverAll().then(() => {
      this.#catchingUp = undefined;
    });
  }

  get #hasListeners(): boolean {
    return this.#client.onUpdate !== undefined || this.#listeners.length > 0;
  }

  #report(code: string, message: string, cause?: unknown): void {
    this.#client.report({ code, message, cause });
  }

  #notify(update: IncomingSessionUpdate, context: UpdateContext): unknown {
    const first = this.#client.onUpdate;
    const listeners = this.#listeners;
    if (listeners.length === 0) return first?.(update, context);
    if (first === undefined && listeners.length === 1) return listeners[0]?.(update, context);
    const running: unknown[] = [];
    for (const listener of first === undefined ? listeners : [first, ...listeners]) {
      try {
        const result = listener(update, context);
        if (result !== undefined) running.push(result);
      } catch (error) {
        running.push(Promise.reject(error)); // thrown after all listeners have been called
      }
    }
    return running.length > 0 ? allFinished(running) : undefined;
  }
}

/**
 * Waits until all listeners have finished, then throws the first error: the listeners that still work must not get the
 * next update.
 */
async function allFinished(running: readonly unknown[]): Promise<void> {
  for (const result of await Promise.allSettled(running)) if (result.status === "rejected") throw result.reason;
}
