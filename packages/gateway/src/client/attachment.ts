import { type Connection, isRpcError } from "@acp-kit/jsonrpc";
import { type Deferred, deferred, type Holding } from "@acp-kit/jsonrpc/internal";
import { type GatewayClock, sleep } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import { type EngineError, isCorrupt } from "../engine/engine-error.js";
import type { Position } from "../engine/journal-page.js";
import { errorObjectOf, gatewayError, gatewayErrorReason, rpcErrorOf } from "../gateway-error.js";
import { cursorOf } from "../journal/cursor.js";
import { ENTRIES_PER_TURN, type Feed, type FeedReader } from "../journal/feed.js";
import { userMessages } from "../journal/history.js";
import type { OpenedRequest, Outcome, SettingUpdate } from "../journal/journal-entry.js";
import { readRepaired } from "../journal/read-repaired.js";
import type { RecordedEntry } from "../journal/recorded-entry.js";
import { deliveryBytesOf, type ReadRoom } from "../read-room.js";
import type { ClientAbilities, Command, DoneReply, SessionOpening } from "../session/command.js";
import type { AttachedSession } from "./known-clients.js";
import { metaKeys, metaObjectOf } from "./meta.js";
import { isSessionUpdate, updateParamsOf } from "./update-params.js";

/** Options of an {@link Attachment}. */
export interface AttachmentOptions {
  readonly connection: Connection;
  /** The id of the client, unique among all clients of the session. */
  readonly client: string;
  /** The id of the client's connection, unique among all connections. */
  readonly connectionId: string;
  readonly replica: Replica;
  readonly clock: GatewayClock;
  readonly feed: Feed;
  readonly opening: SessionOpening;
  readonly abilities: ClientAbilities;
  /** Whether messages to the client contain cursors. */
  readonly sendsCursors: boolean;
  /** The keys of prompts that the client sent on another connection and will send again. */
  readonly ownPrompts: ReadonlySet<string>;
  readonly retryMs: number;
  /** Counts the entries that are in memory only for this client while it reads. */
  readonly room: ReadRoom;
  /** The memory of the attachment. The attachment releases it. */
  readonly holding: Holding;
  /**
   * Called when delivery can't continue. `expired`: the entries that the client needs next were trimmed. `ahead`: the
   * journal has lost entries that the client has received. `missing`: the session no longer exists. An error: the
   * engine can't read the entries.
   */
  readonly onLost: (why: "expired" | "ahead" | "missing" | EngineError) => void;
}

/** A prompt of this client that has no response yet. */
interface PendingPrompt {
  readonly command: Extract<Command, { is: "prompt" }>;
  readonly outcome: Deferred<unknown>;
  /**
   * Resolves when the owner has replied: with `true` if it has queued the prompt, with `false` if the prompt will not
   * run or has already ended.
   */
  readonly accepted: Deferred<boolean>;
}

/** A request of the agent that the client has received, and not responded to. */
interface ForwardedRequest {
  readonly abort: AbortController;
  /** The attachment that sends the response to the owner. */
  attachment: Attachment;
}

/**
 * A client's response. It stays until the owner has acknowledged it and the client has received the entry that settles
 * the request.
 */
interface PendingResponse {
  readonly outcome: Outcome;
  /** Whether the response is on its way to the owner, or has arrived there. */
  isSent: boolean;
  /** The attachment that delivers to the client. */
  attachment: Attachment;
}

/**
 * `attached`: entries are delivered. `paused`: the client is opening the session again, so delivery waits. `detached`:
 * delivery has ended, and no prompts are pending.
 */
type AttachmentState = "attached" | "paused" | "detached";

/**
 * The attachment of one client to one session. The attachment reads the journal from the client's position, as fast as
 * the client reads, and sends the entries. It sends all messages to the client about the session, including responses,
 * so that the messages stay in order.
 */
export class Attachment implements FeedReader {
  readonly opening: SessionOpening;
  readonly #options: AttachmentOptions;
  #state: AttachmentState = "attached";
  /** The error of prompts that this object receives after it was detached. */
  #reason: unknown;
  #isStarted = false;
  /** Settles when the delivery that was started last has stopped. */
  #delivery: Promise<void> = Promise.resolve();
  #position: Position;
  readonly #prompts = new Map<string, PendingPrompt>();
  /** Requests of the agent that this client has not responded to. */
  readonly #requests = new Map<string, ForwardedRequest>();
  /**
   * The client's responses to requests of the agent. All attachments of the client to the session on one connection
   * share them: see {@link replaceBy}.
   */
  #responses = new Map<string, PendingResponse>();
  /** Callers that wait until the client has received an entry. */
  #waiting: (Position & { readonly done: Deferred<void> })[] = [];
  /** Whether {@link onPush} was called, or delivery has to stop, since the feed was last read. */
  #hasNews = false;
  /** Continues a delivery that waits for news. */
  #wake: () => void = () => {};
  readonly #stopReading: () => void;
  #turn: string | null;
  /**
   * The outcomes of {@link AttachmentOptions.ownPrompts} that this object has read in the journal before the client
   * repeated the prompt.
   */
  readonly #early = new Map<string, Outcome>();

  /** The kinds of settings that this client changes in calls without a response. */
  readonly #settingCalls: SettingUpdate["sessionUpdate"][] = [];
  /** While such calls run: by its kind, the last setting in the entries that were delivered. */
  readonly #lastSettings = new Map<SettingUpdate["sessionUpdate"], { readonly seq: number; readonly update: object }>();

  /** @param from delivery starts after this position. @param turn the turn that runs at this position. */
  constructor(options: AttachmentOptions, from: Position, turn: string | null) {
    this.#options = options;
    this.opening = options.opening;
    this.#position = from;
    this.#turn = turn;
    this.#stopReading = options.feed.addReader(this);
  }

  /** The position of the last entry that the client has received. */
  get position(): Position {
    return this.#position;
  }

  onPush(): void {
    this.#hasNews = true;
    this.#wake();
  }

  /** Starts delivery. `requests` are the open requests at the start, which the client may respond to. */
  start(requests: readonly OpenedRequest[] = []): void {
    // The client has sent another request to open the session before it received the response to this one
    if (this.#state === "detached") return;
    const open = new Set(requests.map(({ id }) => id));
    // Settled before the position at which delivery starts
    for (const id of this.#requests.keys()) if (!open.has(id)) this.#withdraw(id);
    for (const request of requests) this.#forward(request);
    this.reportAttached();
    this.#isStarted = true;
    this.#startDelivery();
    for (const [key, pending] of this.#prompts) void this.#sendBehind(key, pending); // those of an earlier attachment: see `replaceBy`
  }

  /**
   * Stops delivery after the last entry that the client has received, until {@link resume} is called or another
   * attachment replaces this one.
   */
  pause(): void {
    if (this.#state !== "attached") return;
    this.#state = "paused";
    this.onPush();
  }

  /** Continues delivery after {@link pause}. */
  resume(): void {
    if (this.#state !== "paused") return;
    this.#state = "attached";
    if (this.#isStarted) this.#startDelivery();
  }

  /**
   * Ends delivery, because the client has opened the session again on the same connection. The client's pending
   * prompts, the requests that it has received and its responses continue on the new attachment.
   */
  replaceBy(next: Attachment): void {
    for (const [key, pending] of this.#prompts) next.#prompts.set(key, pending);
    for (const [id, request] of this.#requests) {
      request.attachment = next;
      next.#requests.set(id, request);
    }
    for (const response of this.#responses.values()) response.attachment = next;
    next.#responses = this.#responses;
    next.#waiting.push(...this.#waiting.splice(0));
    next.#release();
    this.#prompts.clear();
    this.#requests.clear();
    this.detach(clientGone(), { stays: true });
  }

  get session(): AttachedSession {
    const { feed, connectionId, abilities } = this.#options;
    return { key: feed.key, connection: connectionId, abilities };
  }

  /** Whether the client has received the start of a turn, but not its end. */
  get hasTurn(): boolean {
    return this.#turn !== null;
  }

  get isBusy(): boolean {
    return this.#turn !== null || this.#requests.size > 0 || this.#prompts.size > 0;
  }

  /**
   * Runs a turn. The promise settles with the response to the prompt, after the client has received all updates of the
   * turn.
   */
  prompt(key: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    if (this.#state === "detached") return Promise.reject(this.#reason);
    const known = this.#prompts.get(key);
    if (known !== undefined) return known.outcome.promise;
    const { client } = this.#options;
    const command = { is: "prompt", client, key, params, opening: this.opening } as const;
    const pending: PendingPrompt = { command, outcome: deferred(), accepted: deferred() };
    this.#prompts.set(key, pending);
    const early = this.#early.get(key);
    this.#early.delete(key);
    if (early !== undefined) void this.#settle(key, early);
    else if (this.#options.ownPrompts.has(key)) void this.#sendBehind(key, pending);
    else void this.#send(key, pending);
    return pending.outcome.promise;
  }

  /**
   * Sends any other request about the session to the owner. The promise resolves with the owner's reply, which contains
   * the response: see {@link response}.
   */
  call(method: string, params: Readonly<Record<string, unknown>>): Promise<DoneReply> {
    // First, because the agent may request a file of this client while it handles the call
    this.#commandQuietly(this.#attach);
    return this.#command({ is: "call", client: this.#options.client, method, params, opening: this.opening });
  }

  /**
   * Settles with the response in a reply to {@link call}, after the client has received all messages that the agent
   * sent before the response. The client may have sent the call on an earlier connection.
   */
  async response({ at, epoch, outcome }: DoneReply): Promise<unknown> {
    await this.reached(at, epoch);
    if (outcome === undefined) return {};
    if ("error" in outcome) throw rpcErrorOf(outcome.error);
    return outcome.result;
  }

  /**
   * Cancels the client's prompts, or the running turn. First waits until the owner has replied to the prompts:
   * otherwise, if sending a prompt is repeated, the cancellation could overtake it, and would cancel the turn of
   * another client or nothing. Resolves when the owner has replied to the cancellation. A prompt that the client sends
   * later must wait for that, or it could overtake the cancellation and would be cancelled too.
   */
  async cancel(): Promise<void> {
    const { client } = this.#options;
    const accepted = await Promise.all(Array.from(this.#prompts.values(), (pending) => pending.accepted.promise));
    if (this.hasTurn || accepted.includes(true)) await this.#command({ is: "cancel", client }).catch(() => {});
  }

  /**
   * Sends a notification to the owner. Resolves when the owner has sent it to the agent, or when no owner has replied
   * in time. While too many messages wait until the agent reads, the owner refuses it, and it is sent again. The
   * client's later messages about the session wait for the promise.
   */
  async notify(method: string, params: Readonly<Record<string, unknown>>): Promise<void> {
    const { replica, feed, clock, retryMs } = this.#options;
    for (;;) {
      const reply = await replica.mentioned(feed.key, { is: "notify", method, params });
      const isRefused = reply?.is === "refused" && gatewayErrorReason(rpcErrorOf(reply.error)) === "limit";
      if (!isRefused || this.#state === "detached") return;
      await sleep(clock, retryMs);
    }
  }

  /**
   * Resolves when the client has received the journal entry with this number, or is detached.
   *
   * @param epoch the epoch of the entry. If the client has received entries with higher numbers and an older epoch, a
   * failover has lost those entries. The client will then be detached.
   */
  reached(seq: number, epoch: number): Promise<void> {
    if (this.#state === "detached" || isAt(this.#position, { seq, epoch })) return Promise.resolve();
    const done = deferred();
    this.#waiting.push({ seq, epoch, done });
    return done.promise;
  }

  /**
   * Ensures that the owner of the session, if it has one, knows this client, its pending prompts and its responses. The
   * client's connection calls this method at intervals.
   */
  tend(): void {
    if (this.#state === "detached") return;
    for (const [id, response] of this.#responses) void this.#respond(id, response);
    if (!this.isBusy) {
      this.reportAttached();
      return;
    }
    this.#commandQuietly(this.#attach);
    // A prompt may have run already, and the owner remembers the outcomes of only the last turns. An older prompt would
    // run a second time. So the client first receives all entries: if one of them contains the outcome of the prompt,
    // the prompt is not sent again.
    const { last } = this.#options.feed;
    if (this.#position.seq !== last.seq || this.#position.epoch !== last.epoch) return;
    for (const [key, pending] of this.#prompts) void this.#send(key, pending);
  }

  /**
   * Reports to the owner of the session that this client is attached. A sleeping session has no owner, so no report is
   * sent.
   */
  reportAttached(): void {
    const { replica, feed } = this.#options;
    replica.mention(feed.key, this.#attach);
  }

  /** Ends delivery. Pending and later prompts reject with `reason`. */
  detach(reason: unknown, { stays = false }: { readonly stays?: boolean } = {}): void {
    if (this.#state === "detached") return;
    this.#state = "detached";
    this.#reason = reason;
    const { replica, feed, client, connectionId } = this.#options;
    this.#stopReading();
    this.#options.holding.release();
    this.onPush();
    for (const { abort } of this.#requests.values()) abort.abort();
    for (const { outcome, accepted } of this.#prompts.values()) {
      accepted.resolve(false);
      outcome.reject(reason);
    }
    for (const { done } of this.#waiting.splice(0)) done.resolve();
    this.#requests.clear();
    this.#prompts.clear();
    if (!stays) replica.mention(feed.key, { is: "leave", client, connection: connectionId });
    replica.feeds.close(feed);
  }

  get #attach(): Command {
    const { client, connectionId, abilities } = this.#options;
    return { is: "attach", client, connection: connectionId, abilities };
  }

  #command(command: Command) {
    const { replica, feed } = this.#options;
    return replica.command(feed.key, command);
  }

  #commandQuietly(command: Command): void {
    this.#command(command).catch(() => {});
  }

  /** Sends a prompt that may have run already. Waits until the client has received every entry: see {@link tend}. */
  async #sendBehind(key: string, pending: PendingPrompt): Promise<void> {
    const { seq, epoch } = this.#options.feed.last;
    await this.reached(seq, epoch);
    if (this.#prompts.get(key) === pending) await this.#send(key, pending);
  }

  async #send(key: string, { command, outcome, accepted }: PendingPrompt): Promise<void> {
    try {
      const [, reply] = await Promise.all([this.#command(this.#attach), this.#command(command)]);
      accepted.resolve(reply.outcome === undefined);
      if (reply.outcome === undefined) return; // the journal will contain the outcome
      await this.reached(reply.at, reply.epoch); // the turn has ended, and its last entry may be before this client's position
      await this.#settle(key, reply.outcome);
    } catch (error) {
      accepted.resolve(false);
      if (this.#prompts.delete(key)) outcome.reject(error);
    }
  }

  #settle(key: string, outcome: Outcome, position?: Position): Promise<unknown> | undefined {
    const pending = this.#prompts.get(key);
    if (pending === undefined) return undefined;
    this.#prompts.delete(key);
    pending.accepted.resolve(false);
    if ("error" in outcome) pending.outcome.reject(rpcErrorOf(outcome.error));
    else pending.outcome.resolve(position === undefined ? outcome.result : this.#withCursor(outcome.result, position));
    // The connection waits for the same promise and sends the response. It attached its callback first, so when the
    // callback below runs, the connection has sent the response.
    return pending.outcome.promise.catch(() => {});
  }

  #startDelivery(): void {
    // A delivery that was paused may still wait for the engine or the client
    this.#delivery = this.#delivery.then(() => this.#deliverAll());
  }

  async #deliverAll(): Promise<void> {
    const { feed, clock, retryMs, room, onLost } = this.#options;
    while (this.#state === "attached") {
      this.#hasNews = false;
      let release: (() => void) | undefined;
      try {
        let page = feed.readRecent(this.#position);
        if (page === undefined) {
          const read = await room.read(() => feed.read(this.#position), deliveryBytesOf);
          page = read.result;
          release = read.release;
        }
        if (page.is === "ahead") page = await readRepaired(feed, this.#position, { clock, retryMs });
        if (page.is !== "page") {
          if (this.#state === "attached") onLost(page.is);
          return;
        }
        if (page.entries.length > 0) await this.#deliverPage(page.entries, release !== undefined);
        else if (!this.#hasNews) await this.#untilNews();
      } catch (error) {
        if (isCorrupt(error)) {
          if (this.#state === "attached") onLost(error);
          return;
        }
        await sleep(clock, retryMs); // the engine is unavailable
      } finally {
        release?.();
      }
    }
  }

  #untilNews(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /**
   * Delivers the entries of a page. If the page is shared with other readers (not `isOwn`), stops after an entry for
   * which the client has no room. Otherwise a client that reads nothing would keep entries in memory that the feed has
   * dropped.
   */
  async #deliverPage(entries: readonly RecordedEntry[], isOwn: boolean): Promise<void> {
    const { feed, replica, clock } = this.#options;
    const settled = settledIn(entries);
    let sent = 0;
    for (const recorded of entries) {
      sent += 1;
      if (sent % ENTRIES_PER_TURN === 0 && clock.turn !== undefined) await clock.turn();
      if (this.#state !== "attached") return;
      const release = isOwn || recorded.text.length <= LARGE_CHARS ? undefined : await this.#roomFor(recorded);
      if (this.#state !== "attached") {
        release?.();
        return;
      }
      // If an entry of the same page settles the request, the client doesn't receive the request.
      const wait = settled !== undefined && opensOneOf(settled, recorded) ? undefined : this.#deliver(recorded);
      // After a new owner has appended its first entry, the session's record names it. The new owner does not know this
      // client yet.
      if (recorded.epoch !== this.#position.epoch && recorded.epoch === feed.last.epoch)
        replica.mentionToNewOwner(feed.key, this.#attach).catch(() => {});
      this.#position = recorded;
      if (this.#waiting.length > 0) this.#release();
      if (wait === undefined) {
        release?.();
        continue;
      }
      this.#position = { seq: recorded.seq, epoch: recorded.epoch };
      await wait;
      release?.();
      if (!isOwn) return;
    }
    const { seq, epoch } = this.#position;
    this.#position = { seq, epoch }; // a copy, so that the entry does not stay in memory
  }

  /**
   * Waits until a large entry may be copied for this client. The returned function reports that the client has read it.
   */
  async #roomFor(recorded: RecordedEntry): Promise<() => void> {
    const part = { is: "page", entries: [recorded] };
    const { release } = await this.#options.room.read(() => part, deliveryBytesOf);
    return release;
  }

  #release(): void {
    const reached = this.#waiting.filter((waiting) => isAt(this.#position, waiting));
    this.#waiting = this.#waiting.filter((waiting) => !isAt(this.#position, waiting));
    for (const { done } of reached) done.resolve();
  }

  /**
   * Reports that a call of this client changes a setting. Clients show the value that they have set when they get the
   * response. The returned function sends a later value again that the client has received before the response; call it
   * after the response. `at` is the number of the entry with the change.
   */
  beginSetting(kind: SettingUpdate["sessionUpdate"]): (at: number) => void {
    this.#settingCalls.push(kind);
    return (at) => {
      this.#settingCalls.splice(this.#settingCalls.indexOf(kind), 1);
      const last = this.#lastSettings.get(kind);
      if (this.#settingCalls.length === 0) this.#lastSettings.clear();
      if (this.#state !== "attached" || last === undefined || last.seq <= at) return;
      const { connection, feed } = this.#options;
      const { sessionId } = feed.key;
      void connection.notify("session/update", this.#withCursor({ sessionId, update: last.update }, this.#position));
    };
  }

  #noteSetting({ entry, seq }: RecordedEntry): void {
    const update =
      entry.type === "setting_changed" ? entry.update : entry.type === "update" ? entry.params.update : undefined;
    const { sessionUpdate } = (update ?? {}) as { readonly sessionUpdate?: unknown };
    if (sessionUpdate === "current_mode_update" || sessionUpdate === "config_option_update")
      this.#lastSettings.set(sessionUpdate, { seq, update: update as object });
  }

  /** Sends an entry. If it returns a promise, the promise resolves when the client has room again. */
  #deliver(recorded: RecordedEntry): Promise<unknown> | undefined {
    const { connection, client, abilities, sendsCursors } = this.#options;
    if (this.#settingCalls.length > 0) this.#noteSetting(recorded);
    const update = updateParamsOf(recorded, sendsCursors);
    if (update !== undefined) return connection.notify("session/update", update);
    const { entry } = recorded;
    switch (entry.type) {
      case "update":
        return connection.notify(entry.method, this.#withCursor(entry.params, recorded));
      case "setting_changed":
        // The client knows its own change from the response, unless it has sent the call on an earlier connection.
        if (entry.by === client && this.#settingCalls.includes(entry.update.sessionUpdate)) return undefined;
        return this.#update(entry.update, recorded);
      case "turn_started":
        this.#turn = entry.key;
        if (this.#isOwn(entry.key)) return undefined;
        return this.#updates([running, ...userMessages(entry.prompt, recorded.seq)], recorded);
      case "turn_ended": {
        if (this.#turn === entry.key) this.#turn = null;
        const settled = this.#settle(entry.key, entry.outcome, recorded);
        if (settled !== undefined) return settled;
        if (this.#isOwn(entry.key)) {
          this.#early.set(entry.key, entry.outcome);
          return undefined;
        }
        return entry.started === false ? undefined : this.#update(idle(entry.outcome), recorded);
      }
      case "request_opened":
        if (abilities.isInteractive && (entry.to === undefined || entry.to === client)) this.#forward(entry, recorded);
        return undefined;
      case "request_settled":
        this.#responses.delete(entry.id);
        this.#withdraw(entry.id);
        return undefined;
      case "agent_opened":
      case "trimmed":
      case "session_lost":
        return undefined;
    }
  }

  #isOwn(key: string): boolean {
    return this.#prompts.has(key) || this.#options.ownPrompts.has(key);
  }

  /** Sends the updates of one entry. Only the last update has the cursor, because the entry is complete only then. */
  #updates(updates: readonly object[], recorded: RecordedEntry): Promise<void> | undefined {
    const { sessionId } = this.#options.feed.key;
    const last = updates.length - 1;
    for (const update of updates.slice(0, last))
      void this.#options.connection.notify("session/update", { sessionId, update });
    return this.#update(updates[last] as object, recorded);
  }

  #update(update: object, recorded: RecordedEntry): Promise<void> | undefined {
    const { sessionId } = this.#options.feed.key;
    return this.#options.connection.notify("session/update", this.#withCursor({ sessionId, update }, recorded));
  }

  #withCursor<Params>(params: Params, position: Position): Params {
    if (!this.#options.sendsCursors || typeof params !== "object" || params === null) return params;
    return { ...params, _meta: { ...metaObjectOf(params), [metaKeys.cursor]: cursorOf(position) } };
  }

  /** Sends a request of the agent to the client, and the client's response to the owner. */
  #forward({ id, method, params }: OpenedRequest, position?: Position): void {
    if (this.#requests.has(id) || this.#responses.has(id)) return;
    const { connection, sendsCursors } = this.#options;
    const abort = new AbortController();
    const forwarded: ForwardedRequest = { abort, attachment: this };
    this.#requests.set(id, forwarded);
    const respond = (outcome: Outcome): void => {
      const { attachment } = forwarded;
      if (abort.signal.aborted || !attachment.#requests.delete(id)) return;
      const response = { outcome, isSent: false, attachment };
      attachment.#responses.set(id, response);
      void attachment.#respond(id, response);
    };
    const named = sendsCursors ? { ...params, _meta: { ...metaObjectOf(params), [metaKeys.request]: id } } : params;
    const sent = position === undefined ? named : this.#withCursor(named, position);
    connection.request(method, sent, { signal: abort.signal }).then(
      (result) => respond({ result }),
      (error: unknown) => {
        // After an invalid response, the connection is still open and no other response will arrive. After the
        // connection has ended, the client may receive the request again on another connection.
        if (isRpcError(error) || connection.state === "open") respond({ error: errorObjectOf(error) });
      },
    );
  }

  /** Cancels a request at the client. */
  #withdraw(id: string): void {
    this.#requests.get(id)?.abort.abort();
    this.#requests.delete(id);
  }

  /**
   * Sends the client's response to the owner. If that fails, {@link tend} tries again, because no other client may
   * respond.
   */
  async #respond(request: string, response: PendingResponse): Promise<void> {
    if (response.isSent) return;
    response.isSent = true;
    const responses = this.#responses;
    try {
      const { outcome } = response;
      const { at, epoch } = await this.#command({ is: "respond", client: this.#options.client, request, outcome });
      // Until then, a request of the client to open the session may still find the agent's request open.
      await response.attachment.reached(at, epoch);
      responses.delete(request);
    } catch {
      response.isSent = false;
    }
  }
}

/** The number of characters above which the copy of an entry for one client counts. */
const LARGE_CHARS = 65_536;

/** Returns whether a position is at an entry or after it. Within a journal, epochs never decrease. */
function isAt(position: Position, entry: Position): boolean {
  return position.seq >= entry.seq && position.epoch >= entry.epoch;
}

/** Returns the ids of the requests that the entries of a page settle; `undefined` if there are none. */
function settledIn(entries: readonly RecordedEntry[]): Set<string> | undefined {
  let settled: Set<string> | undefined;
  for (const recorded of entries) {
    if (isSessionUpdate(recorded)) continue;
    const { entry } = recorded;
    if (entry.type === "request_settled") settled = (settled ?? new Set()).add(entry.id);
  }
  return settled;
}

/** Returns whether an entry opens one of these requests. */
function opensOneOf(ids: ReadonlySet<string>, recorded: RecordedEntry): boolean {
  if (isSessionUpdate(recorded)) return false;
  const { entry } = recorded;
  return entry.type === "request_opened" && ids.has(entry.id);
}

const running = { sessionUpdate: "session_info_update", _meta: { [metaKeys.turn]: "running" } };

function idle(outcome: Outcome): object {
  return { sessionUpdate: "session_info_update", _meta: { [metaKeys.turn]: "idle", [metaKeys.outcome]: outcome } };
}

/** The error of a client's pending prompts when its connection ends. */
export function clientGone(): unknown {
  return gatewayError("client_gone", "The connection has ended");
}
