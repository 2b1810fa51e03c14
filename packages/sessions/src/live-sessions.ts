import type { ClientConnection, SessionHandle } from "@acp-kit/agent";
import type { SessionNotification, SessionUpdate } from "@acp-kit/types";
import { LeaseLostError } from "./errors.js";
import type { Follower } from "./follower.js";
import { LiveSession } from "./live-session.js";
import type { MaybePromise, OwnedSessions, SessionLog, SessionRecord } from "./session-store.js";

type OpenedRecord = Pick<SessionRecord, "sessionId" | "title">;

/** The connection that opens a session, and the owner for whom it does so. */
export interface FollowOptions {
  readonly sessions: OwnedSessions;
  readonly owner: string;
  readonly connection: ClientConnection;
  readonly handle: SessionHandle;
}

/** A session that a connection follows. */
export interface Following {
  readonly session: LiveSession;
  readonly follower: Follower;
  /** Whether the connection followed the session before. */
  readonly wasFollowing: boolean;
}

/** The sessions that this process writes, on any connection. */
export class LiveSessions {
  readonly #sessions = new Map<string, LiveSession>();
  /** Updates that are already logged: replayed ones, and those that another connection of the session has logged. */
  readonly #logged = new WeakSet<object>();

  find(sessionId: string): LiveSession | undefined {
    return this.#sessions.get(sessionId);
  }

  /** Returns the session, if it belongs to this owner. */
  findOwned(sessionId: string, owner: string): LiveSession | undefined {
    const session = this.#sessions.get(sessionId);
    return session?.owner === owner ? session : undefined;
  }

  /**
   * Takes the lease of a session, unless this process has it, and makes a connection follow the session. Between
   * finding the session and following it, there is no `await`: the last other connection could leave meanwhile and end
   * it.
   */
  async follow(record: OpenedRecord, { sessions, owner, connection, handle }: FollowOptions): Promise<Following> {
    const { sessionId } = record;
    const session = this.#sessions.get(sessionId) ?? this.#opened(await sessions.open(sessionId), record, owner);
    const wasFollowing = session.isFollowedBy(connection);
    return { session, follower: session.follow(connection, handle), wasFollowing };
  }

  #opened(log: SessionLog, { sessionId, title }: OpenedRecord, owner: string): LiveSession {
    // Another connection may have opened the session at the same time. Then both use the session that was opened first.
    const other = this.#sessions.get(sessionId);
    if (other !== undefined) return other.renew(log);
    const session: LiveSession = new LiveSession(log, {
      owner,
      isUntitled: title === null,
      asLogged: (update) => this.asLogged(update),
      onEnd: () => {
        if (this.#sessions.get(sessionId) === session) this.#sessions.delete(sessionId);
      },
    });
    this.#sessions.set(sessionId, session);
    return session;
  }

  /**
   * Marks an update as already logged: returns a copy of it that is not logged when it is sent. It is a copy, because
   * the application may send the same object again as a new update.
   */
  asLogged(update: SessionUpdate): SessionUpdate {
    const content = contentOf(update);
    const copy = { ...update, ...(content && { content: { ...content } }) } as SessionUpdate;
    this.#logged.add(copy);
    // On a connection of version 2, the agent's library sends a copy of a chunk that has no message id, with an id
    const copied = contentOf(copy);
    if (copied !== undefined) this.#logged.add(copied);
    return copy;
  }

  /** Logs an update and sends it to the other connections of its session. */
  log({ sessionId, update }: SessionNotification, connection: ClientConnection): MaybePromise<void> {
    const content = contentOf(update);
    if (this.#logged.delete(update) || (content !== undefined && this.#logged.has(content))) return undefined;
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw new LeaseLostError(sessionId);
    const seq = session.append({ type: "update", update });
    if (typeof seq === "number") return session.sendToOthers(connection, seq, update);
    return seq.then((later) => session.sendToOthers(connection, later, update));
  }
}

/** Returns the content of a chunk. */
function contentOf(update: SessionUpdate): object | undefined {
  const { content } = update as { readonly content?: unknown };
  return typeof content === "object" && content !== null && !Array.isArray(content) ? content : undefined;
}
