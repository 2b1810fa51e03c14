import { ErrorCode, RpcError } from "@acp-kit/protocol";

/** Counts the terminals of each session, from the request that creates one to its release. */
export class TerminalSlots {
  readonly #maxTerminals: number;
  readonly #taken = new Map<string | undefined, number>();

  constructor(maxTerminals: number) {
    this.#maxTerminals = maxTerminals;
  }

  /**
   * Adds a terminal to the count of a session. The returned function removes it from the count. For a session that the
   * client doesn't know, `session` is `undefined`. All these sessions share one count, because an agent can invent any
   * number of ids.
   *
   * @throws {RpcError} `-32600` when the session already has the maximum number of terminals.
   */
  take(session: string | undefined): () => void {
    const taken = this.#taken.get(session) ?? 0;
    if (taken >= this.#maxTerminals) {
      const message = `terminal/create: the session has ${this.#maxTerminals} terminals; release one first`;
      throw new RpcError(ErrorCode.invalidRequest, message, { data: { limit: this.#maxTerminals } });
    }
    this.#taken.set(session, taken + 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const left = (this.#taken.get(session) ?? 1) - 1;
      if (left === 0) this.#taken.delete(session);
      else this.#taken.set(session, left);
    };
  }
}
