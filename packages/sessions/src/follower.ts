import type { SessionHandle } from "@acp-kit/agent";
import type { SessionUpdate } from "@acp-kit/types";

/** An update with its number in the log. */
interface Numbered {
  readonly seq: number;
  readonly update: SessionUpdate;
}

/**
 * The state of a connection that opens a session:
 *
 * - `catching_up`: the log is being replayed to it. Updates that are logged meanwhile are queued, because the page that was
 *   read may or may not contain them.
 * - `live`: it gets each update when it is logged.
 */
type State = { readonly name: "catching_up"; readonly waiting: Numbered[] } | { readonly name: "live" };

/**
 * One connection that follows a session: it receives the updates of the session's other connections, each once, in the
 * order of the log.
 *
 * It starts following before the log is read, and skips by number the updates that the log already contained. If the
 * connection read the log first, an update that is logged before it starts following would be lost.
 */
export class Follower {
  readonly #handle: SessionHandle;
  readonly #asLogged: (update: SessionUpdate) => SessionUpdate;
  #state: State = { name: "catching_up", waiting: [] };
  /** The last number in the log when it was read. Later ones may arrive out of order, from asynchronous stores. */
  #after = 0;

  /** @param asLogged - marks an update as already logged, so that it isn't logged again. */
  constructor(handle: SessionHandle, asLogged: (update: SessionUpdate) => SessionUpdate) {
    this.#handle = handle;
    this.#asLogged = asLogged;
  }

  /** Receives an update that another connection has logged. */
  take(seq: number, update: SessionUpdate): void {
    if (this.#state.name === "catching_up") this.#state.waiting.push({ seq, update });
    else if (seq > this.#after) this.#send(update);
  }

  /** Called when the connection opens the session again: its log is about to be read again. */
  catchUp(): void {
    if (this.#state.name === "live") this.#state = { name: "catching_up", waiting: [] };
  }

  /** Sends the connection the queued updates, and from now on each update, except those up to number `after`. Default: the previous value. */
  goLive(after: number = this.#after): void {
    if (this.#state.name === "live") return;
    const { waiting } = this.#state;
    this.#state = { name: "live" };
    this.#after = after;
    for (const { seq, update } of waiting) this.take(seq, update);
  }

  #send(update: SessionUpdate): void {
    void this.#handle.update(this.#asLogged(update));
  }
}
