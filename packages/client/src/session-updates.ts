import type { Diagnostic } from "@acp-kit/protocol";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import type { UpdateContext, UpdateListener } from "./connect-options.js";

/** What a session's {@link SessionUpdates} need of the connection. */
export interface SessionUpdatesHost {
  readonly report: (diagnostic: Diagnostic) => void;
  readonly onUpdate: UpdateListener | undefined;
  readonly limits: { readonly maxBufferedUpdates: number; readonly maxBufferedBytes: number };
}

const nobody: readonly UpdateListener[] = [];

/** An update and where it belongs. */
interface Heard {
  readonly update: IncomingSessionUpdate;
  readonly context: UpdateContext;
}

/**
 * Who hears the updates of a session: the connection's listener, then the session's own, one update at a time and in wire order.
 *
 * What comes outside of turns while nobody listens is kept, within a bound, for the first listener.
 */
export class SessionUpdates {
  readonly #host: SessionUpdatesHost;
  readonly #sessionId: string;
  /** Replaced, never changed: a listener may remove itself while the others are being called. */
  #listeners: readonly UpdateListener[] = nobody;
  #unheard: Heard[] | undefined;
  #unheardBytes = 0;
  #catchingUp: Promise<void> | undefined;

  constructor(host: SessionUpdatesHost, sessionId: string) {
    this.#host = host;
    this.#sessionId = sessionId;
  }

  /** Resolves when what was kept has been told; `undefined` when there is nothing to tell. */
  get catchingUp(): Promise<void> | undefined {
    return this.#catchingUp;
  }

  add(listener: UpdateListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    this.catchUp();
    let listens = true;
    return () => {
      if (!listens) return;
      listens = false; // the same function may listen twice
      this.#listeners = this.#listeners.toSpliced(this.#listeners.indexOf(listener), 1);
    };
  }

  /** Synchronous unless a listener isn't: that is the common case, and the fast one. */
  deliver(update: IncomingSessionUpdate, context: UpdateContext, size: number): unknown {
    const first = this.#host.onUpdate;
    if (this.#catchingUp !== undefined) return this.#catchingUp.then(() => this.#tell(update, context));
    if (this.#listeners.length > 0) return this.#tell(update, context);
    if (first !== undefined) return first(update, context);
    if (context.turn === undefined) this.keep(update, context, size);
    return undefined;
  }

  /** Keeps an update for later; see {@link catchUp}. */
  keep(update: IncomingSessionUpdate, context: UpdateContext, size: number): void {
    const { maxBufferedUpdates, maxBufferedBytes } = this.#host.limits;
    const count = this.#unheard?.length ?? 0;
    if (count < maxBufferedUpdates && this.#unheardBytes + size <= maxBufferedBytes) {
      this.#unheard ??= [];
      this.#unheard.push({ update, context });
      this.#unheardBytes += size;
    } else this.#report("update_dropped", `Nobody listens to session ${this.#sessionId}`);
  }

  /** Tells what was kept, in order, if somebody listens now; what comes meanwhile waits. */
  catchUp(): void {
    const unheard = this.#unheard;
    if (!this.#isHeard || unheard === undefined || this.#catchingUp !== undefined) return;
    this.#unheard = undefined;
    this.#unheardBytes = 0;
    const tellAll = async (): Promise<void> => {
      for (const { update, context } of unheard) {
        try {
          await this.#tell(update, context);
        } catch (cause) {
          this.#report("handler_failed", `A listener of session ${this.#sessionId} failed`, cause);
        }
      }
    };
    // Not in `tellAll` itself, which may be done before its promise is kept here.
    this.#catchingUp = tellAll().then(() => {
      this.#catchingUp = undefined;
    });
  }

  get #isHeard(): boolean {
    return this.#host.onUpdate !== undefined || this.#listeners.length > 0;
  }

  #report(code: string, message: string, cause?: unknown): void {
    this.#host.report({ code, message, cause });
  }

  #tell(update: IncomingSessionUpdate, context: UpdateContext): unknown {
    const first = this.#host.onUpdate;
    const listeners = this.#listeners;
    if (listeners.length === 0) return first?.(update, context);
    if (first === undefined && listeners.length === 1) return listeners[0]?.(update, context);
    const running: unknown[] = [];
    for (const listener of first === undefined ? listeners : [first, ...listeners]) {
      try {
        const result = listener(update, context);
        if (result !== undefined) running.push(result);
      } catch (error) {
        running.push(Promise.reject(error)); // told once all listeners have had their turn
      }
    }
    return running.length > 0 ? Promise.all(running) : undefined;
  }
}
