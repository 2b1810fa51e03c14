import { sessionNotFound } from "@acp-kit/agent";
import { LiveSession, type SessionPlace } from "./live-session.js";
import type { EverythingStore } from "./session-store.js";
import { type SessionSummary, summaryOf } from "./session-summary.js";

/** The sessions that are open on one connection. All connections share the store. */
export class Sessions {
  readonly store: EverythingStore;
  readonly #now: () => Date;
  readonly #live = new Map<string, LiveSession>();
  readonly #replaying = new Set<string>();

  constructor(store: EverythingStore, now: () => Date) {
    this.store = store;
    this.#now = now;
  }

  create(place: SessionPlace): LiveSession {
    const sessionId = crypto.randomUUID();
    const { cwd, additionalDirectories } = place;
    this.store.append(sessionId, { type: "session", at: this.#now().toISOString(), cwd, additionalDirectories });
    return this.open(sessionId, place);
  }

  /** Opens a stored session. Throws `RpcError` `-32002` for an unknown session. */
  open(sessionId: string, place: SessionPlace): LiveSession {
    const summary = this.#summary(sessionId);
    this.close(sessionId); // if the session is already open, its MCP servers are closed and started again
    const session = new LiveSession(summary, place, this.store, this.#now);
    this.#live.set(sessionId, session);
    return session;
  }

  /** Creates a session that begins with the log of another one. Throws `RpcError` `-32002` for an unknown session. */
  fork(sessionId: string, place: SessionPlace): LiveSession {
    this.#summary(sessionId);
    const [, ...log] = this.store.read(sessionId);
    const forked = this.create(place).sessionId;
    for (const entry of log) this.store.append(forked, entry);
    return this.open(forked, place);
  }

  find(sessionId: string): LiveSession | undefined {
    return this.#live.get(sessionId);
  }

  /** Returns an open session. Throws `RpcError` `-32002` if the session isn't open. */
  get(sessionId: string): LiveSession {
    const session = this.#live.get(sessionId);
    if (session === undefined) throw sessionNotFound(sessionId);
    return session;
  }

  close(sessionId: string): void {
    for (const server of this.#live.get(sessionId)?.mcp ?? []) void server.close();
    this.#live.delete(sessionId);
  }

  /** Closes all sessions at the end of the connection. */
  closeAll(): void {
    for (const sessionId of [...this.#live.keys()]) this.close(sessionId);
  }

  delete(sessionId: string): void {
    this.close(sessionId);
    this.store.delete(sessionId);
  }

  isReplaying(sessionId: string): boolean {
    return this.#replaying.has(sessionId);
  }

  /** Runs an action that replays history: the updates that it sends are not logged. */
  async replay(sessionId: string, action: () => Promise<void>): Promise<void> {
    this.#replaying.add(sessionId);
    try {
      await action();
    } finally {
      this.#replaying.delete(sessionId);
    }
  }

  #summary(sessionId: string): SessionSummary {
    const summary = summaryOf(sessionId, this.store.read(sessionId));
    if (summary === undefined) throw sessionNotFound(sessionId);
    return summary;
  }
}
