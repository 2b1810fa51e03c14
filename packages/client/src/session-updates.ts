import type { IncomingSessionUpdate } from "@acp-kit/types";
import type { UpdateContext, UpdateListener } from "./connect-options.js";

/** An update and where it belongs. */
export interface Heard {
  readonly update: IncomingSessionUpdate;
  readonly context: UpdateContext;
}

/**
 * Who hears the updates of a session: the connection's listener, then the session's own, one update at a time and in wire order.
 *
 * What comes outside of turns while nobody listens is kept, within a bound, for the first listener.
 */
export class SessionUpdates {
  readonly #first: UpdateListener | undefined;
  readonly #listeners: UpdateListener[] = [];
  readonly #report: (code: string, message: string, cause?: unknown) => void;
  readonly #maxUnheard: number;
  #unheard: Heard[] = [];
  #catchingUp: Promise<void> | undefined;

  constructor(
    first: UpdateListener | undefined,
    maxUnheard: number,
    report: (code: string, message: string, cause?: unknown) => void,
  ) {
    this.#first = first;
    this.#maxUnheard = maxUnheard;
    this.#report = report;
  }

  /** Resolves when what was kept has been told; `undefined` when there is nothing to tell. */
  get catchingUp(): Promise<void> | undefined {
    return this.#catchingUp;
  }

  add(listener: UpdateListener): () => void {
    this.#listeners.push(listener);
    this.catchUp();
    return () => {
      const index = this.#listeners.indexOf(listener);
      if (index >= 0) this.#listeners.splice(index, 1);
    };
  }

  /** Synchronous unless a listener isn't: that is the common case, and the fast one. */
  deliver(heard: Heard): void | PromiseLike<void> {
    if (this.#catchingUp !== undefined) return this.#catchingUp.then(() => this.#tell(heard));
    if (this.#isHeard || heard.context.turn !== undefined) return this.#tell(heard);
    this.keep(heard);
  }

  /** Keeps an update for later; see {@link catchUp}. */
  keep(heard: Heard): void {
    if (this.#unheard.length < this.#maxUnheard) this.#unheard.push(heard);
    else this.#report("update_dropped", `Nobody listens to session ${heard.context.session.sessionId}`);
  }

  /** Tells what was kept, in order, if somebody listens now; what comes meanwhile waits. */
  catchUp(): void {
    if (!this.#isHeard || this.#unheard.length === 0 || this.#catchingUp !== undefined) return;
    const unheard = this.#unheard;
    this.#unheard = [];
    const tellAll = async (): Promise<void> => {
      for (const heard of unheard) {
        try {
          await this.#tell(heard);
        } catch (cause) {
          this.#report("handler_failed", `A listener of session ${heard.context.session.sessionId} failed`, cause);
        }
      }
      this.#catchingUp = undefined;
    };
    this.#catchingUp = tellAll();
  }

  get #isHeard(): boolean {
    return this.#first !== undefined || this.#listeners.length > 0;
  }

  #tell({ update, context }: Heard): void | PromiseLike<void> {
    const first = this.#first;
    const listeners = this.#listeners;
    if (listeners.length === 0) return first?.(update, context);
    if (first === undefined && listeners.length === 1) return listeners[0]?.(update, context);
    const running: PromiseLike<void>[] = [];
    for (const listener of first === undefined ? [...listeners] : [first, ...listeners]) {
      try {
        const result = listener(update, context);
        if (result !== undefined) running.push(result);
      } catch (error) {
        running.push(Promise.reject(error)); // told once all listeners have had their turn
      }
    }
    if (running.length > 0) return Promise.all(running).then(() => {});
  }
}
