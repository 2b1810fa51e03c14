import { invalidParams } from "@acp-kit/jsonrpc";
import { randomId } from "../random-id.js";

/**
 * The number of cursors that a connection can use. A client that reads one list after the other uses only the newest.
 */
const MAX_CURSORS = 32;

/**
 * The cursors of `session/list` of one connection. The cursor of an engine is the place of a session among the sessions
 * of all users, so a client gets a random text in its place.
 */
export class ListCursors {
  /** The cursors of the engine by their texts, the oldest first. */
  readonly #cursors = new Map<string, string>();

  /** Returns the text for a client. */
  seal(cursor: string): string {
    const text = randomId();
    this.#cursors.set(text, cursor);
    const [oldest] = this.#cursors.keys();
    if (oldest !== undefined && this.#cursors.size > MAX_CURSORS) this.#cursors.delete(oldest);
    return text;
  }

  /**
   * Returns the cursor of the engine.
   *
   * @throws {RpcError} `invalid_params` for a text that {@link seal} did not return.
   */
  open(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const cursor = this.#cursors.get(text);
    if (cursor !== undefined) return cursor;
    throw invalidParams(
      "Invalid params: this connection did not return the cursor, or not among its last 32. List the sessions again from the first page.",
    );
  }
}
