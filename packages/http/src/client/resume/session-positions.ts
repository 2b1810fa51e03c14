import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { metaMember, resumeMeta } from "../../wire/resume-meta.js";

/** The params with which the session was opened. They are sent again when it is resumed. */
type Opening = Readonly<Record<"cwd" | "mcpServers" | "additionalDirectories", unknown>>;

interface SessionPosition {
  readonly opening: Opening;
  /** The position in the server's history after the last entry received in full; `undefined` before the first. */
  readonly cursor: string | undefined;
  /** The number of messages received after the cursor: parts of one entry, whose last has the next cursor. */
  readonly parts: number;
  /** The number of these parts received on an earlier connection. They are dropped when they arrive again. */
  readonly dropped: number;
}

/** The position up to which the client has received the updates of each open session. */
export class SessionPositions {
  readonly #sessions = new Map<string, SessionPosition>();
  readonly #before = new Map<string, SessionPosition | undefined>();
  #moves = 0;

  /** The number of times that an update has brought another position. */
  get moves(): number {
    return this.#moves;
  }

  get ids(): string[] {
    return [...this.#sessions.keys()];
  }

  /** Records that the client sends a load or resume, and resets the position of the session. */
  opening(sessionId: string, params: unknown): void {
    if (!this.#before.has(sessionId)) this.#before.set(sessionId, this.#sessions.get(sessionId));
    this.#sessions.set(sessionId, newPosition(params));
  }

  /** Records the response to `session/new`, `session/load` or `session/resume`. */
  opened(sessionId: string, params: unknown, result: unknown): void {
    this.#before.delete(sessionId);
    const known = this.#sessions.get(sessionId) ?? newPosition(params);
    this.#sessions.set(sessionId, moved(known, metaMember(result, resumeMeta.cursor)));
  }

  /** Restores the position of a session after its load or resume was rejected. */
  refused(sessionId: string): void {
    const before = this.#before.get(sessionId);
    this.#before.delete(sessionId);
    if (before === undefined) this.#sessions.delete(sessionId);
    else this.#sessions.set(sessionId, before);
  }

  remove(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#before.delete(sessionId);
  }

  /**
   * Records a notification or request of a session. Returns `false` for a notification that the client has received
   * before. A request is not part of an entry: the server repeats open requests when the session is resumed.
   */
  received(sessionId: string, params: unknown, isRequest: boolean): boolean {
    const position = this.#sessions.get(sessionId);
    if (position === undefined) return true;
    const cursor = metaMember(params, resumeMeta.cursor);
    if (typeof cursor === "string") {
      if (cursor !== position.cursor) this.#moves += 1;
      this.#sessions.set(sessionId, moved(position, cursor));
      return true;
    }
    if (isRequest) return true;
    const { parts, dropped } = position;
    if (dropped > 0) this.#sessions.set(sessionId, { ...position, dropped: dropped - 1 });
    else this.#sessions.set(sessionId, { ...position, parts: parts + 1 });
    return dropped === 0;
  }

  /** Records the result of a request in the session. If it contains a cursor, that is the new position. */
  settled(sessionId: string, result: unknown): void {
    const position = this.#sessions.get(sessionId);
    if (position !== undefined) this.#sessions.set(sessionId, moved(position, metaMember(result, resumeMeta.cursor)));
  }

  /** Prepares for another connection. The server will repeat the messages after the cursor of each session. */
  lost(): void {
    for (const [id, position] of this.#sessions) this.#sessions.set(id, { ...position, dropped: position.parts });
  }

  /** The params of the `session/resume` that continues a session. */
  resumeParams(sessionId: string): JsonObject | undefined {
    const position = this.#sessions.get(sessionId);
    return position && { ...position.opening, sessionId };
  }

  /** The cursor from which a session continues. */
  cursor(sessionId: string): string | undefined {
    return this.#sessions.get(sessionId)?.cursor;
  }
}

function newPosition(params: unknown): SessionPosition {
  const { cwd, mcpServers, additionalDirectories } = isJsonObject(params) ? params : {};
  const opening = { cwd, mcpServers, ...(additionalDirectories !== undefined && { additionalDirectories }) } as Opening;
  return { opening, cursor: undefined, parts: 0, dropped: 0 };
}

function moved(position: SessionPosition, cursor: unknown): SessionPosition {
  return typeof cursor === "string" ? { ...position, cursor, parts: 0, dropped: 0 } : position;
}
