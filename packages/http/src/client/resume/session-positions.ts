import { isJsonObject, type JsonObject } from "../../wire/message-kind.js";
import { metaMember, resumeMeta } from "../../wire/resume-meta.js";

/** What opens a session again: the members of its request that are not about history. */
type Opening = Readonly<Record<"cwd" | "mcpServers" | "additionalDirectories", unknown>>;

interface SessionPosition {
  readonly opening: Opening;
  /** Behind the last message that the client received whole; `undefined` before the first. */
  readonly cursor: string | undefined;
  /** Messages received behind the cursor: parts of an entry whose last part has the next cursor. */
  readonly parts: number;
  /** Parts that were received on another connection, and are dropped when they come again. */
  readonly dropped: number;
}

/** How far the client has received each session that it has open. */
export class SessionPositions {
  readonly #sessions = new Map<string, SessionPosition>();
  /** What a session was before a load that has no response yet. */
  readonly #before = new Map<string, SessionPosition | undefined>();

  get ids(): string[] {
    return [...this.#sessions.keys()];
  }

  /** A load or resume is sent: the session begins anew. */
  opening(sessionId: string, params: unknown): void {
    if (!this.#before.has(sessionId)) this.#before.set(sessionId, this.#sessions.get(sessionId));
    this.#sessions.set(sessionId, newPosition(params));
  }

  /** The response to `session/new`, load or resume has arrived. */
  opened(sessionId: string, params: unknown, result: unknown): void {
    this.#before.delete(sessionId);
    const known = this.#sessions.get(sessionId) ?? newPosition(params);
    this.#sessions.set(sessionId, moved(known, metaMember(result, resumeMeta.cursor)));
  }

  /** The load or resume was refused: the session is what it was. */
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

  /** A notification or request about a session. `false` if the client has received it before. */
  received(sessionId: string, params: unknown): boolean {
    const position = this.#sessions.get(sessionId);
    if (position === undefined) return true;
    const cursor = metaMember(params, resumeMeta.cursor);
    if (typeof cursor === "string") {
      this.#sessions.set(sessionId, moved(position, cursor));
      return true;
    }
    const { parts, dropped } = position;
    if (dropped > 0) this.#sessions.set(sessionId, { ...position, dropped: dropped - 1 });
    else this.#sessions.set(sessionId, { ...position, parts: parts + 1 });
    return dropped === 0;
  }

  /** A result that may have a cursor. */
  settled(sessionId: string, result: unknown): void {
    const position = this.#sessions.get(sessionId);
    if (position !== undefined) this.#sessions.set(sessionId, moved(position, metaMember(result, resumeMeta.cursor)));
  }

  /** Messages arrive on another connection from here on, behind the cursor of each session. */
  lost(): void {
    for (const [id, position] of this.#sessions) this.#sessions.set(id, { ...position, dropped: position.parts });
  }

  /** The params of the `session/resume` that continues a session. */
  resumeParams(sessionId: string): JsonObject | undefined {
    const position = this.#sessions.get(sessionId);
    return position && { ...position.opening, sessionId };
  }

  /** Where a session continues. */
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
