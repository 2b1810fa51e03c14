import type { Replica } from "../cluster/replica.js";
import { engineFailure, type RetryOptions, retry } from "../cluster/retry.js";
import type { Position } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import { cursorExpired, gatewayError, sessionNotFound } from "../gateway-error.js";
import type { Feed } from "../journal/feed.js";
import { HistoryReplay, type ReplayedUpdate } from "../journal/history.js";
import type { JournalEntry } from "../journal/journal-entry.js";
import type { SessionState } from "../session/session-state.js";

/** A request of an agent that is open. */
export type OpenedRequest = Extract<JournalEntry, { type: "request_opened" }>;

/** A session at a place of its journal. Give `feed` back to the replica's feeds. */
export interface OpenSession {
  readonly feed: Feed;
  /** The state at `at`, or a little behind it. */
  readonly state: SessionState;
  readonly at: Position;
}

/** Reads sessions for one client: their state, their history, and what is open at a cursor. */
export class SessionReader {
  readonly #replica: Replica;
  readonly #retrying: RetryOptions;

  constructor(replica: Replica, retrying: RetryOptions) {
    this.#replica = replica;
    this.#retrying = retrying;
  }

  /** Opens a session at its end. @throws {RpcError} if the scope has no such session, or the engine fails for too long. */
  async open(key: SessionKey): Promise<OpenSession> {
    const { feeds } = this.#replica;
    const found = await this.#replica.find(key); // before a feed is opened for what may not exist
    await this.#replica.expire(key, found.state);
    const feed = await retry(() => feeds.open(key), this.#retrying);
    if (feed === undefined) throw sessionNotFound();
    return this.#orClose(feed, async () => {
      if (!(await retry(() => feed.pull(), this.#retrying))) throw sessionNotFound();
      const { state } = await this.#replica.find(key);
      return { feed, state, at: feed.last };
    });
  }

  /**
   * Replays the history up to the place of the session, and returns the requests that are open there. Closes the feed if that fails.
   *
   * @param from where the client is; by default before the first entry.
   * @throws {RpcError} `cursor_expired` or `journal_lost` if the journal can't be read from there.
   */
  replay(
    { feed, state, at }: OpenSession,
    from: Position | undefined,
    send: (update: ReplayedUpdate) => Promise<void> | undefined,
  ): Promise<OpenedRequest[]> {
    return this.#orClose(feed, async () => {
      const replay = new HistoryReplay(feed.key.sessionId);
      const open = new Map<string, OpenedRequest>();
      if (from !== undefined) await this.#checkCursor(feed, from, state);
      // What the journal says is removed may still be there for a moment.
      const received = Math.max(from?.seq ?? 0, state.kept.first - 1);
      for await (const page of feed.history(at))
        for (const recorded of page) {
          const { entry } = recorded;
          if (entry.type === "request_opened") open.set(entry.id, entry);
          else if (entry.type === "request_settled") open.delete(entry.id);
          if (recorded.seq > received) for (const update of replay.take(recorded)) await send(update);
        }
      for (const update of replay.end()) await send(update);
      return [...open.values()];
    });
  }

  /**
   * The requests that are open at the position from which delivery starts; those behind it are delivered. Closes the feed if
   * that fails.
   *
   * @param from where the client is; by default at the place of the session.
   * @throws {RpcError} `cursor_expired` or `journal_lost` if the journal can't be read from there.
   */
  openRequests({ feed, state, at }: OpenSession, from: Position = at): Promise<OpenedRequest[]> {
    return this.#orClose(feed, async () => {
      if (from !== at) await this.#checkCursor(feed, from, state);
      if (state.requests.length === 0) return [];
      const open: OpenedRequest[] = [];
      for await (const page of feed.history(from))
        for (const { entry } of page)
          if (entry.type === "request_opened" && state.requests.includes(entry.id)) open.push(entry);
      return open;
    });
  }

  async #checkCursor(feed: Feed, from: Position, { kept }: SessionState): Promise<void> {
    if (from.seq < kept.first - 1) throw cursorExpired();
    const page = await retry(async () => feed.read(from), this.#retrying);
    if (page.is === "missing") throw sessionNotFound();
    if (page.is === "expired") throw cursorExpired();
    if (page.is === "ahead")
      throw gatewayError("journal_lost", "The session's journal does not contain the cursor: load the session instead");
  }

  async #orClose<Result>(feed: Feed, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.#replica.feeds.close(feed);
      throw engineFailure(error);
    }
  }
}
