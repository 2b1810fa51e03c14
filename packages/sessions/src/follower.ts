import type { SessionHandle } from "@acp-kit/agent";
import type { SessionUpdate } from "@acp-kit/types";

/** An update with its number in the log. */
interface Numbered {
  readonly seq: number;
  readonly update: SessionUpdate;
}

/**
 * How far a connection is with a session that it opens:
 *
 * - `catching_up`: the log is being replayed to it. Updates that are logged meanwhile wait, for the page that was read may or may not hold them.
 * - `live`: it gets each update when it is logged.
 */
type State = { readonly name: "catching_up"; readonly waiting: Numbered[] } | { readonly name: "live" };

/**
 * One connection that follows a session: it is sent what the session's other connections write, each update once, in the order of the log.
 *
 * It follows before the log is read, and drops by number what the log already had. The other way round, an update that is logged between the
 * read and the join would be in neither.
 */
export class Follower {
  readonly #handle: SessionHandle;
  readonly #asLogged: (update: SessionUpdate) => SessionUpdate;
  #state: State = { name: "catching_up", waiting: [] };
  /** The last number that the log had when it was read. Later ones may come out of order, from stores that answer later. */
  #after = 0;

  /** @param asLogged - marks an update as one that is in the log already, so that it isn't logged again. */
  constructor(handle: SessionHandle, asLogged: (update: SessionUpdate) => SessionUpdate) {
    this.#handle = handle;
    this.#asLogged = asLogged;
  }

  /** Takes an update that another connection has logged. */
  take(seq: number, update: SessionUpdate): void {
    if (this.#state.name === "catching_up") this.#state.waiting.push({ seq, update });
    else if (seq > this.#after) this.#send(update);
  }

  /** The connection opens the session once more: its log is about to be read again. */
  catchUp(): void {
    if (this.#state.name === "live") this.#state = { name: "catching_up", waiting: [] };
  }

  /** The connection gets what has waited, and from now on each update, but nothing up to number `after`. Default: as it was before. */
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
