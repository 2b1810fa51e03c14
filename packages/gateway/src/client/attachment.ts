import { type Connection, requestCancelled } from "@acp-kit/jsonrpc";
import type { Holding } from "@acp-kit/jsonrpc/internal";
import { type GatewayClock, sleep } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import type { Position } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import {
  cursorExpired,
  errorObjectOf,
  gatewayError,
  gatewayErrorReason,
  rpcErrorOf,
  sessionNotFound,
} from "../gateway-error.js";
import type { Feed } from "../journal/feed.js";
import { userMessageId } from "../journal/history.js";
import type { JournalEntry, OpenedRequest, Outcome, SessionParams, UpdateEntry } from "../journal/journal-entry.js";
import type { RecordedEntry } from "../journal/recorded-entry.js";
import { acpServerIds } from "../mcp-servers.js";
import type { ReadRoom } from "../read-room.js";
import { engineFailure, type RetryOptions, retry } from "../retry.js";
import type { ClientAbilities, Command, DoneReply, SessionOpening } from "../session/command.js";
import { versioned } from "../session/session-state.js";
import type { ConvertedRequest, ProtocolVersion } from "../version.js";
import type { ClientView } from "./client-view.js";
import { type DeliverEntry, Delivery, type DeliveryLoss } from "./delivery.js";
import { ForwardedRequests } from "./forwarded-requests.js";
import { metaKeys, withCursor } from "./meta.js";
import { PendingPrompts } from "./pending-prompts.js";
import { responseIn } from "./session-reader.js";
import { SettingCalls, type SettingKind } from "./setting-calls.js";
import { updateParamsOf, updateVersionOf } from "./update-params.js";

/** Options of an {@link Attachment}. */
export interface AttachmentOptions {
  readonly connection: Connection;
  /** The id of the client, unique among all clients of the session. */
  readonly client: string;
  /** The id of the client's connection, unique among all connections. */
  readonly connectionId: string;
  readonly replica: Replica;
  readonly clock: GatewayClock;
  readonly abilities: ClientAbilities;
  /** Whether messages to the client contain cursors. */
  readonly sendsCursors: boolean;
  readonly times: RetryOptions["times"];
  /** Counts the entries that are in memory only for this client while it reads. */
  readonly room: ReadRoom;
  /** Called when delivery can't continue after a position. */
  readonly onLost: (why: DeliveryLoss, position: Position) => void;
}

/** How a client has opened a session, and the place in the journal at which it attaches. */
export interface AttachPoint {
  /** The attachment closes the feed. */
  readonly feed: Feed;
  readonly opening: SessionOpening;
  /** What the client has seen up to the position. The attachment closes it. */
  readonly view: ClientView;
  /** The memory of the attachment. The attachment releases it. */
  readonly holding: Holding;
  /** Delivery starts after this position. */
  readonly from: Position;
  /** Where the view begins. Default: before the first entry. */
  readonly viewStart?: Position | undefined;
  /** The key of the turn that runs at this position; `null` if no turn runs. */
  readonly turn: string | null;
  /** The keys of prompts that the client sent on another connection, and will send again. Default none. */
  readonly ownPrompts?: ReadonlySet<string>;
  /** The responses to those of them that have one, although their turns may run. */
  readonly responses?: ReadonlyMap<string, Outcome>;
}

/**
 * The attachment of one client to one session. It sends all messages to the client about the session, including
 * responses, so that the messages stay in order. It delivers the entries of the journal ({@link Delivery}), which
 * settle the client's prompts ({@link PendingPrompts}).
 */
export class Attachment {
  readonly #options: AttachmentOptions;
  readonly #key: SessionKey;
  #point: AttachPoint;
  #delivery: Delivery;
  /** The turn of which the client has received the start, but not the end. */
  #turn: string | null;
  readonly #prompts: PendingPrompts;
  readonly #requests: ForwardedRequests;
  readonly #settings = new SettingCalls();
  /** The error of later prompts; `undefined` while the client is attached. */
  #detached: { readonly reason: unknown } | undefined;

  constructor(options: AttachmentOptions, point: AttachPoint) {
    const { connection, client, sendsCursors } = options;
    this.#options = options;
    this.#key = point.feed.key;
    this.#point = point;
    this.#turn = point.turn;
    this.#prompts = new PendingPrompts({
      sendsCursors,
      send: async (command) => {
        const [, reply] = await Promise.all([this.#command(this.#attach), this.#command(command)]);
        return reply;
      },
      responseTo: (key, end) => this.#responseTo(key, end),
      reached: (seq, epoch) => this.reached(seq, epoch),
      caughtUp: () => this.reached(this.#point.feed.last.seq, this.#point.feed.last.epoch),
    });
    this.#requests = new ForwardedRequests({
      connection,
      sendsCursors,
      convert: (request) => this.#point.view.request(request),
      respond: async (request, outcome) => {
        const { at, epoch } = await this.#command({ is: "respond", client, request, outcome });
        await this.reached(at, epoch);
      },
    });
    this.#prompts.expect(point.ownPrompts ?? new Set(), point.responses ?? new Map());
    this.#delivery = this.#deliveryFrom(point);
  }

  /** The params with which the client has opened the session last. */
  get opening(): SessionOpening {
    return this.#point.opening;
  }

  /** The position of the last entry that the client has received. */
  get position(): Position {
    return this.#delivery.position;
  }

  get key(): SessionKey {
    return this.#key;
  }

  /** Whether the client has received the start of a turn, but not its end. */
  get hasTurn(): boolean {
    return this.#turn !== null;
  }

  /** The keys of the prompts that wait for their responses. */
  get prompts(): Iterable<string> {
    return this.#prompts.keys;
  }

  /**
   * Continues from another point, because the client has opened the session again on the same connection. Its pending
   * prompts, the requests that it has received and its responses stay. Delivery begins when `start` is called.
   */
  reopen(point: AttachPoint): void {
    const [before, previous] = [this.#point, this.#delivery];
    this.#point = point;
    this.#turn = point.turn;
    this.#prompts.expect(point.ownPrompts ?? new Set(), point.responses ?? new Map());
    this.#delivery = this.#deliveryFrom(point);
    previous.end(this.#delivery);
    this.#release(before);
  }

  /**
   * Starts delivery after the response to the request that has opened the session. Has no effect if the client has sent
   * another such request before it received this response.
   *
   * @param opened the settings in that response, and their version.
   * @param requests the open requests at the start, which the client may respond to.
   */
  start(
    opening: SessionOpening,
    { setup, version = 1 }: { readonly setup: object; readonly version?: ProtocolVersion | undefined },
    requests: readonly OpenedRequest[] = [],
  ): void {
    if (this.#detached !== undefined || opening !== this.opening) return;
    this.#point.view.resume();
    this.#requests.withdrawAllBut(new Set(requests.map(({ id }) => id))); // settled before the position
    for (const request of requests) this.#requests.forward(request);
    // With the cursor, they are not parts of the next entry
    for (const update of this.#point.view.announcements(setup, version, this.#key.sessionId))
      void this.#notify(this.#withCursor(update, this.position));
    this.reportAttached();
    this.#delivery.start();
    this.#prompts.sendAgain();
  }

  /** Stops delivery after the last entry that the client has received, until it is resumed or the session reopened. */
  pause(): void {
    this.#point.view.pause();
    this.#delivery.pause();
  }

  /** Continues delivery after {@link pause}. */
  resume(): void {
    this.#point.view.resume();
    this.#delivery.resume();
  }

  /**
   * Runs a turn. The promise settles with the response to the prompt, after the client has received all updates of the
   * turn.
   */
  prompt(key: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    if (this.#detached !== undefined) return Promise.reject(this.#detached.reason);
    let converted: ConvertedRequest;
    try {
      converted = this.convert("session/prompt", params);
    } catch (error) {
      return Promise.reject(error);
    }
    const response = this.#prompts.add(key, {
      is: "prompt",
      client: this.#options.client,
      key,
      params: converted.params,
      opening: this.opening,
    });
    // A client repeats a prompt whose turn runs: the entry with the response was delivered before
    if (this.#turn === key)
      void this.#responseInJournal(key)
        .then((outcome) => outcome && this.#prompts.ended(key, outcome))
        .catch(() => {}); // the end of the turn settles the prompt
    return response;
  }

  /**
   * Converts a request of the client to the version of the agent.
   *
   * @throws {RpcError} if the version does not have it.
   */
  convert(method: string, params: Readonly<Record<string, unknown>>): ConvertedRequest {
    return this.#point.view.call(method, params);
  }

  /**
   * Sends any other request about the session to the owner. The promise resolves with the owner's reply, which contains
   * the response: see {@link response}.
   */
  call(method: string, params: Readonly<Record<string, unknown>>): Promise<DoneReply> {
    // First, because the agent may request a file of this client while it handles the call
    this.#commandQuietly(this.#attach);
    const version = versioned(this.#point.view.agentVersion);
    return this.#command({
      is: "call",
      client: this.#options.client,
      ...version,
      method,
      params,
      opening: this.opening,
    });
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
   * Reports that a call of this client changes a setting. Call the returned function after the response, with the
   * number of the entry that contains the change: see {@link SettingCalls}.
   */
  beginSetting(kind: SettingKind, isKnown: boolean): (at: number) => void {
    const end = this.#settings.begin(kind, isKnown);
    return (at) => {
      const update = end(at);
      if (update === undefined || !this.#delivery.isOpen) return;
      const { view } = this.#point;
      for (const params of view.update(this.#paramsOf(update.update), update.version, update.seq))
        void this.#notify(this.#withCursor(params, this.position));
    };
  }

  /**
   * Cancels the client's prompts, or the running turn, or the work of an agent of version 2 without a turn. First
   * waits until the owner has replied to the prompts: otherwise, if sending a prompt is repeated, the cancellation
   * could overtake it, and would cancel the turn of another client or nothing. Resolves when the owner has replied to
   * the cancellation. A prompt that the client sends later must wait for that, or it could overtake the cancellation
   * and would be cancelled too.
   *
   * @param upTo see {@link Command}.
   */
  async cancel(upTo?: Position): Promise<void> {
    const { client } = this.#options;
    const areAccepted = await this.#prompts.areAccepted();
    const isInTurn = this.hasTurn || areAccepted;
    if (!isInTurn && this.#point.view.agentVersion === 1) return;
    const until = isInTurn ? upTo : (upTo ?? this.position);
    await this.#command({ is: "cancel", client, upTo: until }).catch(() => {});
  }

  /**
   * Sends a notification to the owner. Resolves when the owner has sent it to the agent, or when no owner has replied
   * in time. While too many messages wait until the agent reads, the owner refuses it, and it is sent again. The
   * client's later messages about the session wait for the promise.
   */
  async notify(method: string, params: Readonly<Record<string, unknown>>): Promise<void> {
    const { replica, clock, times } = this.#options;
    for (;;) {
      const reply = await replica.mentioned(this.#key, { is: "notify", method, params });
      const isRefused = reply?.is === "refused" && gatewayErrorReason(rpcErrorOf(reply.error)) === "limit";
      if (!isRefused || this.#detached !== undefined) return;
      await sleep(clock, times.retryMs);
    }
  }

  /** Resolves when the client has received a journal entry, or is detached: see {@link Delivery.reached}. */
  reached(seq: number, epoch: number): Promise<void> {
    return this.#delivery.reached(seq, epoch);
  }

  /**
   * Ensures that the owner of the session, if it has one, knows this client, its pending prompts and its responses. The
   * client's connection calls this method at intervals.
   */
  tend(): void {
    this.#requests.sendAgain();
    if (this.#turn === null && this.#requests.size === 0 && this.#prompts.size === 0) {
      this.reportAttached();
      return;
    }
    this.#commandQuietly(this.#attach);
    if (this.#delivery.isCaughtUp) this.#prompts.sendAgain();
  }

  /**
   * Reports to the owner of the session that this client is attached. A sleeping session has no owner, so no report is
   * sent.
   */
  reportAttached(): void {
    this.#options.replica.mention(this.#key, this.#attach);
  }

  /**
   * Ends the attachment. Pending and later prompts reject with `reason`. With `stays`, the owner is not notified,
   * because the client may continue on another connection.
   */
  detach(reason: unknown, { stays = false }: { readonly stays?: boolean } = {}): void {
    if (this.#detached !== undefined) return;
    this.#detached = { reason };
    const { replica, client, connectionId } = this.#options;
    this.#requests.withdrawAllBut(new Set());
    this.#prompts.reject(reason);
    this.#delivery.end();
    if (!stays) replica.mention(this.#key, { is: "leave", client, connection: connectionId });
    this.#release(this.#point);
  }

  /**
   * Ends the attachment, because the session no longer exists: no entry ends the turn that the client has seen begin.
   */
  gone(): void {
    if (this.#detached !== undefined) return;
    const reason = sessionNotFound();
    const turn = this.#turn;
    const { view } = this.#point;
    const outcome = turn === null ? undefined : { error: reason.toJSON() };
    // Without a turn, an agent of version 2 may work in the background
    if (view.version === 2) void this.#notify(this.#paramsOf(view.lastState(outcome)));
    else if (outcome !== undefined && turn !== null && !this.#prompts.isPending(turn))
      void this.#notify(this.#paramsOf(idle(outcome)));
    this.detach(reason);
  }

  #release({ holding, feed, view }: AttachPoint): void {
    holding.release();
    view.close();
    this.#options.replica.feeds.close(feed);
  }

  get #attach(): Command {
    const { client, connectionId, abilities } = this.#options;
    const ids = acpServerIds(this.opening.mcpServers);
    const servers = ids.length > 0 ? { ids, replica: this.#options.replica.id } : undefined;
    return { is: "attach", client, connection: connectionId, abilities, servers };
  }

  #command(command: Command): Promise<DoneReply> {
    return this.#options.replica.command(this.#key, command);
  }

  #commandQuietly(command: Command): void {
    this.#command(command).catch(() => {});
  }

  #deliveryFrom({ feed, from }: AttachPoint): Delivery {
    const { clock, times, room, onLost } = this.#options;
    return new Delivery(
      {
        feed,
        clock,
        retryMs: times.retryMs,
        room,
        deliver: (page) => this.#deliverFrom(page),
        onLost: (why) => onLost(why, this.position),
      },
      from,
    );
  }

  #deliverFrom(page: readonly RecordedEntry[]): DeliverEntry {
    const settled = settledIn(page);
    const { feed } = this.#point;
    const { replica } = this.#options;
    return (recorded) => {
      // After a new owner has appended its first entry, the session's record names it. The new owner does not know this
      // client yet.
      if (recorded.epoch !== this.position.epoch && recorded.epoch === feed.last.epoch)
        replica.mentionToNewOwner(this.#key, this.#attach).catch(() => {});
      // If an entry of the same page settles the request, the client doesn't receive the request.
      return settled !== undefined && opensOneOf(settled, recorded) ? undefined : this.#deliver(recorded);
    };
  }

  #deliver(recorded: RecordedEntry): Promise<unknown> | undefined {
    const { connection, client, abilities, sendsCursors } = this.#options;
    const { view } = this.#point;
    this.#settings.delivered(recorded);
    const update = updateParamsOf(recorded, sendsCursors, view.version);
    if (update !== undefined) return connection.notify("session/update", update);
    const { entry, seq } = recorded;
    view.note(entry);
    switch (entry.type) {
      case "update": {
        const version = entry.version ?? 1;
        if (version === view.version || entry.method !== "session/update")
          return connection.notify(entry.method, this.#withCursor(entry.params, recorded));
        const { params } = JSON.parse(recorded.text) as UpdateEntry;
        return this.#notifyAll(view.update(params, version, seq), recorded);
      }
      case "setting_changed":
        // The client knows its own change from the response, unless it has sent the call on an earlier connection.
        if (entry.by === client && this.#settings.has(entry.update.sessionUpdate)) return undefined;
        return this.#notifyAll(
          view.update(this.#paramsOf(structuredClone(entry.update)), entry.version ?? 1, seq),
          recorded,
        );
      case "turn_started":
        this.#turn = entry.key;
        return this.#started(entry, recorded);
      case "prompt_inserted":
        return view.version === 2 ? this.#prompts.ended(entry.key, { result: entry.result }, recorded) : undefined;
      case "turn_ended":
        if (this.#turn === entry.key) this.#turn = null;
        return this.#ended(entry, recorded);
      case "request_opened":
        if (view.changesState(entry)) void this.#update(view.workState(), recorded);
        if (abilities.isInteractive && (entry.to === undefined || entry.to === client))
          this.#requests.forward(entry, recorded);
        return undefined;
      case "request_settled":
        this.#requests.settled(entry.id);
        return view.changesState(entry) ? this.#update(view.workState(), recorded) : undefined;
      case "agent_opened":
        return this.#notifyAll(view.reopened(entry, this.#key.sessionId), recorded);
      case "trimmed":
      case "session_lost":
        return undefined;
    }
  }

  #started(
    entry: Extract<JournalEntry, { type: "turn_started" }>,
    recorded: RecordedEntry,
  ): Promise<unknown> | undefined {
    const { view } = this.#point;
    const messages = view.started(entry, recorded.seq);
    const isOwn = this.#prompts.isOwn(entry.key);
    if (view.version === 1)
      return isOwn ? undefined : this.#notifyAll([running, ...messages].map(this.#paramsOf), recorded);
    if (messages.length === 0) return undefined; // an agent of version 2 reports the message and its state
    const sent = this.#notifyAll([...messages, view.workState()].map(this.#paramsOf), recorded);
    const result = { messageId: userMessageId(recorded.seq) };
    return isOwn ? this.#prompts.ended(entry.key, { result }, recorded) : sent;
  }

  #ended(
    { key, outcome: original, started }: Extract<JournalEntry, { type: "turn_ended" }>,
    recorded: RecordedEntry,
  ): Promise<unknown> | undefined {
    const { view } = this.#point;
    const { before, outcome } = view.ended(original);
    for (const params of before) void this.#notify(params);
    if (view.version === 1) {
      if (this.#prompts.isOwn(key)) return this.#prompts.ended(key, outcome, recorded);
      return started === false ? undefined : this.#update(idle(outcome), recorded);
    }
    const sent = started === false || view.hasStates ? undefined : this.#update(view.workState(outcome), recorded);
    // In version 2 the prompt has its response already, unless it was never inserted into the conversation, or the
    // client has repeated it during the turn.
    if (!this.#prompts.isPending(key)) return sent;
    if (started === false) return this.#prompts.ended(key, uninserted(outcome), recorded);
    return this.#responseTo(key, outcome).then((response) => this.#prompts.ended(key, response));
  }

  /** In version 2, the response is that to the insertion of the prompt, which only the journal has. */
  async #responseTo(key: string, end: Outcome): Promise<Outcome> {
    if (this.#point.view.version === 1) return end;
    try {
      return (await retry(() => this.#responseInJournal(key), this.#options)) ?? uninserted(end);
    } catch (error) {
      return { error: errorObjectOf(engineFailure(error)) };
    }
  }

  async #responseInJournal(key: string): Promise<Outcome | undefined> {
    const { feed, view, viewStart } = this.#point;
    if (view.version === 1) return undefined;
    const starts = viewStart === undefined ? [undefined] : [viewStart, undefined];
    for (const start of starts)
      for await (const page of feed.history(feed.last, this.#options.room, start))
        for (const recorded of page) {
          const response = responseIn(recorded);
          if (response?.key === key) return response.outcome;
        }
    return undefined;
  }

  /** Sends params of `session/update` that belong to one entry. Only the last update has the cursor. */
  #notifyAll(updates: readonly SessionParams[], at: Position): Promise<void> | undefined {
    const last = updates.at(-1);
    for (const params of updates.slice(0, -1)) void this.#notify(params);
    return last === undefined ? undefined : this.#notify(this.#withCursor(last, at));
  }

  #notify(params: object): Promise<void> | undefined {
    return this.#options.connection.notify("session/update", params);
  }

  readonly #paramsOf = (update: object): SessionParams => ({ sessionId: this.#key.sessionId, update });

  #update(update: object, at: Position): Promise<void> | undefined {
    return this.#notify(this.#withCursor(this.#paramsOf(update), at));
  }

  #withCursor<Params>(params: Params, at: Position): Params {
    return this.#options.sendsCursors ? withCursor(params, at) : params;
  }
}

/** Returns the ids of the requests that the entries of a page settle; `undefined` if there are none. */
function settledIn(entries: readonly RecordedEntry[]): Set<string> | undefined {
  let settled: Set<string> | undefined;
  for (const recorded of entries) {
    if (updateVersionOf(recorded) !== undefined) continue;
    const { entry } = recorded;
    if (entry.type === "request_settled") settled = (settled ?? new Set()).add(entry.id);
  }
  return settled;
}

/** Returns whether an entry opens one of these requests. */
function opensOneOf(ids: ReadonlySet<string>, recorded: RecordedEntry): boolean {
  if (updateVersionOf(recorded) !== undefined) return false;
  const { entry } = recorded;
  return entry.type === "request_opened" && ids.has(entry.id);
}

/**
 * The response to a prompt of version 2 that the journal does not have, because it was cancelled before, or was
 * removed.
 */
function uninserted(end: Outcome): Outcome {
  if ("error" in end) return end;
  const { stopReason } = (end.result ?? {}) as { readonly stopReason?: unknown };
  return { error: (stopReason === "cancelled" ? requestCancelled() : cursorExpired()).toJSON() };
}

const running = { sessionUpdate: "session_info_update", _meta: { [metaKeys.turn]: "running" } };

function idle(outcome: Outcome): object {
  return { sessionUpdate: "session_info_update", _meta: { [metaKeys.turn]: "idle", [metaKeys.outcome]: outcome } };
}

/** The error of a client's pending prompts when its connection ends. */
export function clientGone(): unknown {
  return gatewayError("client_gone", "The connection has ended");
}
