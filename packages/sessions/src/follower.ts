import type { SessionHandle } from "@acp-kit/agent";
import type { PromptResponse, SessionUpdate } from "@acp-kit/types";

interface Numbered {
  readonly seq: number;
  readonly update: SessionUpdate;
}

/**
 * The state of a connection that opens a session:
 *
 * - `catching_up`: the log is being replayed to the connection. New updates are queued, because the part of the log
 *   that was read may or may not contain them.
 * - `live`: the connection gets each update when it is logged.
 */
type State = { readonly name: "catching_up"; readonly waiting: Numbered[] } | { readonly name: "live" };

/**
 * One connection that has a session open. The connection receives the updates that the session's other connections log,
 * each once, in the order of the log.
 *
 * The follower is created before the log is read, and later skips the updates that the log already contained, by their
 * numbers. If the log was read first, an update that is logged between the two steps would be lost.
 */
export class Follower {
  readonly #handle: SessionHandle;
  readonly #asLogged: (update: SessionUpdate) => SessionUpdate;
  #state: State = { name: "catching_up", waiting: [] };
  /**
   * The number of the last entry in the log when the log was read. Later updates don't change it, because an
   * asynchronous store may report their numbers out of order.
   */
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

  /** Shows a turn that another connection of the session runs, on a connection of version 2. */
  followTurn(turn: Promise<PromptResponse>): void {
    this.#handle.version?.follow(turn);
  }

  /** Called when the connection opens the session again, before its log is read again. */
  catchUp(): void {
    if (this.#state.name === "live") this.#state = { name: "catching_up", waiting: [] };
  }

  /**
   * Sends the connection the queued updates, and from now on each new update. Updates up to the number `after` are
   * skipped. The default is the number of the previous call; in the first call, 0.
   */
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
