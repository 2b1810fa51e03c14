import type { Replica } from "../cluster/replica.js";
import { isEngineError } from "../engine/engine-error.js";
import type { Position } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import { cursorExpired, gatewayError, sessionNotFound } from "../gateway-error.js";
import type { Feed } from "../journal/feed.js";
import { HistoryReplay, type MessagesOf, type ReplayedUpdate, userMessageId } from "../journal/history.js";
import type { OpenedRequest, Outcome, SessionParams } from "../journal/journal-entry.js";
import { pullRepaired, type RepairWait, readRepaired } from "../journal/read-repaired.js";
import type { RecordedEntry } from "../journal/recorded-entry.js";
import type { ReadRoom } from "../read-room.js";
import { engineFailure, type RetryOptions, retry } from "../retry.js";
import type { SessionState } from "../session/session-state.js";
import { viewStartFor } from "../session/view-starts.js";
import type { ClientView } from "./client-view.js";

/** A session at a position of its journal. To close `feed`, pass it to the replica's `feeds`. */
export interface OpenSession {
  readonly feed: Feed;
  /** The state of the session at the position `at`, or at a slightly later one. */
  readonly state: SessionState;
  readonly at: Position;
  /**
   * Whether the journal has lost entries that this replica knew, and the owner of the session did not append them again
   * in time (`REPAIR_MS`).
   */
  readonly hasLost: boolean;
}

/** Sends params of `session/update`. @param at the position of the entry that they complete. */
type SendUpdate = (params: SessionParams, at: Position | undefined) => Promise<void> | undefined;

/** The state of a session at the end of a replay. */
export interface ReplayEnd {
  /** Where the replay has ended: see {@link SessionReader.replay}. */
  readonly from: Position;
  /** The open requests. */
  readonly open: readonly OpenedRequest[];
  /** The key of the running turn; `null` if no turn runs. */
  readonly turn: string | null;
  /** The outcome of the last turn; `undefined` if it still runs or there is none. */
  readonly outcome?: Outcome;
  /** The responses to prompts whose turns may run, for a client of version 2. */
  readonly responses: ReadonlyMap<string, Outcome>;
}

/** Reads sessions for one client: their state, their history, and the requests that are open at a cursor. */
export class SessionReader {
  readonly #replica: Replica;
  readonly #retrying: RetryOptions;
  readonly #room: ReadRoom;

  /** @param room counts the pages of journals that are in memory while the client reads. */
  constructor(replica: Replica, retrying: RetryOptions, room: ReadRoom) {
    this.#replica = replica;
    this.#retrying = retrying;
    this.#room = room;
  }

  /**
   * Opens a session at the end of its journal.
   *
   * @param from the client's position. If the engine has lost the entries before it, waits until their owner has
   * appended them again, so that the state is not older than the position.
   * @throws {RpcError} if the scope has no such session, or the engine fails for too long.
   */
  async open(key: SessionKey, from?: Position): Promise<OpenSession> {
    const { feeds } = this.#replica;
    const found = await this.#replica.find(key); // first, because a feed must not be opened for an unknown session
    await this.#replica.expire(key, found.state);
    const feed = await retry(() => feeds.open(key), this.#retrying);
    if (feed === undefined) throw sessionNotFound();
    return this.#orClose(feed, async () => {
      let end = await retry(() => pullRepaired(feed, this.#wait), this.#retrying);
      if (from !== undefined && from.seq > feed.last.seq) {
        await this.#reach(feed, from, end === "lost");
        end = await retry(() => pullRepaired(feed, this.#wait), this.#retrying);
      }
      if (end === "missing") throw sessionNotFound();
      // Before the record: an entry that is added meanwhile is delivered, because it may be missing in `state`.
      const at = feed.last;
      const { state } = await this.#replica.find(key);
      return { feed, state, at, hasLost: end === "lost" };
    });
  }

  /**
   * Replays the history up to {@link replayEnd}, and returns the state there. Of the entries before the client's
   * position, reads only those on which its view depends. If the engine fails after entries were sent to a client that
   * continues at its position, ends there: delivery continues, and the client receives no entry twice. Closes the feed
   * if the replay fails.
   *
   * @param from the client's position; by default before the first entry.
   * @param prompts the keys of the prompts that the client will send again.
   * @throws {RpcError} `cursor_expired` or `journal_lost` if the journal can't be read from there.
   */
  replay(
    session: OpenSession,
    from: Position | undefined,
    view: ClientView,
    send: SendUpdate,
    prompts: ReadonlySet<string>,
  ): Promise<ReplayEnd> {
    const { feed, state, at } = session;
    return this.#orClose(feed, async () => {
      view.restart();
      const { version } = view;
      // Each turn that the client missed has its end, as if the client had received the updates when they were sent.
      const continues = version === 2 && from !== undefined;
      const started: MessagesOf = (entry, seq) => ({ updates: view.started(entry, seq), version });
      const replay = new HistoryReplay(feed.key.sessionId, from?.seq, started, continues);
      const sendReplayed = async ({ sessionId, update, at, ...of }: ReplayedUpdate): Promise<void> => {
        // The conversion may change the update, which other readers of the entry share.
        const copy = of.version === version ? update : structuredClone(update);
        const updates = view.update({ sessionId, update: copy }, of.version, of.seq);
        for (const [index, params] of updates.entries())
          await send(params, index === updates.length - 1 ? at : undefined);
      };
      const open = new Map<string, OpenedRequest>();
      const responses = new Map<string, Outcome>();
      let turn: string | null = null;
      let outcome: Outcome | undefined;
      if (from !== undefined) await this.#checkCursor(session, from);
      // The replay skips entries before `kept.first`. The engine may still have them, because it removes them a moment
      // after the owner has appended the entry `trimmed`.
      const received = Math.max(from?.seq ?? 0, state.kept.first - 1);
      let next = 0;
      // Turns may be removed while the journal is read: then with the ends of their requests
      const removedBefore = (seq: number): void => {
        if (from !== undefined && seq > received + 1) throw cursorExpired();
        open.clear();
        turn = null;
      };
      const until = replayEnd(at, from);
      let end = until;
      let sent: Position | undefined;
      const cut = (error: unknown): void => {
        if (from === undefined || sent === undefined || !isEngineError(error)) throw error;
        end = sent;
      };
      const start = from && viewStartFor(state, from);
      for await (const page of orCut(feed.history(until, this.#room, start), cut))
        for (const recorded of page) {
          const { entry } = recorded;
          if (recorded.seq !== next) removedBefore(recorded.seq);
          next = recorded.seq + 1;
          if (entry.type === "request_opened") open.set(entry.id, entry);
          else if (entry.type === "request_settled") open.delete(entry.id);
          else if (entry.type === "turn_started") turn = entry.key;
          else if (entry.type === "turn_ended" && entry.key === turn) {
            turn = null;
            outcome = entry.outcome;
          }
          const response = version === 2 ? responseIn(recorded) : undefined;
          if (response !== undefined && prompts.has(response.key)) responses.set(response.key, response.outcome);
          if (recorded.seq <= received) {
            view.skip(recorded);
            continue;
          }
          sent = { seq: recorded.seq, epoch: recorded.epoch };
          const hasState = continues && entry.type === "turn_started" && entry.version !== 2;
          for (const update of replay.take(recorded)) {
            // The state has the cursor: with that of the message, the client would miss the state if it reconnects
            const isFollowed = hasState && update.seq === recorded.seq;
            await sendReplayed(isFollowed ? { ...update, at: undefined } : update);
          }
          view.note(entry);
          if (hasState) await send({ sessionId: feed.key.sessionId, update: view.workState() }, recorded);
          if (entry.type !== "turn_ended") continue;
          for (const update of replay.end()) await sendReplayed(update);
          const { before, outcome: converted } = view.ended(entry.outcome);
          for (const params of before) await send(params, undefined);
          if (continues && entry.started !== false && !view.hasStates)
            await send({ sessionId: feed.key.sessionId, update: view.workState(converted) }, recorded);
        }
      if (next <= end.seq) removedBefore(end.seq + 1);
      for (const update of replay.end()) await sendReplayed(update);
      const ended = turn === null && outcome !== undefined && { outcome: view.ended(outcome).outcome };
      return { from: end, open: [...open.values()], turn, responses, ...ended };
    });
  }

  /**
   * Reads the entries before the position of a client that speaks another version than the agent, as far as the
   * client's view depends on them. Closes the feed if that fails.
   */
  recall({ feed, state, at }: OpenSession, from: Position = at, view: ClientView): Promise<void> {
    return this.#orClose(feed, async () => {
      view.restart();
      for await (const page of feed.history(from, this.#room, viewStartFor(state, from)))
        for (const recorded of page) view.skip(recorded);
    });
  }

  /**
   * Returns the requests that are open at the position from which delivery starts. The client receives later requests
   * by that delivery. Closes the feed if that fails.
   *
   * @param from the client's position; by default `at` of the session.
   * @throws {RpcError} `cursor_expired` or `journal_lost` if the journal can't be read from there.
   */
  openRequests(session: OpenSession, from: Position = session.at): Promise<OpenedRequest[]> {
    const { feed, state, at } = session;
    return this.#orClose(feed, async () => {
      if (from !== at) await this.#checkCursor(session, from);
      if (state.requests.length === 0) return [];
      const open: OpenedRequest[] = [];
      for await (const page of feed.history(from, this.#room, viewStartFor(state, from)))
        for (const { entry } of page)
          if (entry.type === "request_opened" && state.requests.includes(entry.id)) open.push(entry);
      return open;
    });
  }

  get #wait(): RepairWait {
    const { clock, times } = this.#retrying;
    return { clock, retryMs: times.retryMs };
  }

  async #checkCursor({ feed, state, hasLost }: OpenSession, from: Position): Promise<void> {
    if (from.seq < state.kept.first - 1) throw cursorExpired();
    await this.#reach(feed, from, hasLost);
  }

  /** Waits until the engine has the entries up to a position, if they may return. @throws {RpcError} if it has not. */
  async #reach(feed: Feed, from: Position, hasLost: boolean): Promise<void> {
    const read = async () => (hasLost ? feed.read(from) : readRepaired(feed, from, this.#wait));
    const page = await retry(read, this.#retrying);
    if (page.is === "missing") throw sessionNotFound();
    if (page.is === "expired") throw cursorExpired();
    if (page.is === "ahead")
      throw gatewayError(
        "journal_lost",
        "The session's journal does not contain the cursor: load the session instead of resuming it",
      );
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

/** Reads pages to their end, or until reading fails and `cut` does not throw the error again. */
async function* orCut<Page>(pages: AsyncIterable<Page>, cut: (error: unknown) => void): AsyncGenerator<Page, void> {
  try {
    yield* pages;
  } catch (error) {
    cut(error);
  }
}

/**
 * Returns the position at which a replay ends, and delivery begins. The client may have received entries from another
 * replica that this one did not know yet when it opened the session.
 */
function replayEnd(at: Position, from: Position | undefined): Position {
  return from !== undefined && from.seq > at.seq ? from : at;
}

/** Returns the response to a prompt in version 2, if the entry has one. */
export function responseIn({
  entry,
  seq,
}: RecordedEntry): { readonly key: string; readonly outcome: Outcome } | undefined {
  if (entry.type === "prompt_inserted") return { key: entry.key, outcome: { result: entry.result } };
  if (entry.type !== "turn_started" || entry.version === 2) return undefined;
  return { key: entry.key, outcome: { result: { messageId: userMessageId(seq) } } };
}
