import type { Connection } from "@acp-kit/jsonrpc";
import type { Holding } from "@acp-kit/jsonrpc/internal";
import type { GatewayClock } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import type { Position } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { cursorExpired, gatewayError } from "../gateway-error.js";
import type { OpenedRequest } from "../journal/journal-entry.js";
import { keyName } from "../principal.js";
import type { ReadRoom } from "../read-room.js";
import { engineFailure, type RetryOptions } from "../retry.js";
import type { ClientAbilities, SessionOpening } from "../session/command.js";
import type { SessionState } from "../session/session-state.js";
import { viewStartFor } from "../session/view-starts.js";
import { Attachment, type AttachPoint, clientGone } from "./attachment.js";
import type { ClientView } from "./client-view.js";
import type { DeliveryLoss } from "./delivery.js";
import type { SessionReader } from "./session-reader.js";

/** Options of {@link Attachments}. */
export interface AttachmentsOptions {
  readonly connection: Connection;
  /** The id of the connection, unique among all connections. */
  readonly connectionId: string;
  readonly replica: Replica;
  readonly reader: SessionReader;
  readonly clock: GatewayClock;
  readonly times: RetryOptions["times"];
  /** Counts the entries that are in memory only for this client while it reads. */
  readonly room: ReadRoom;
  /** Counts the memory of an attachment that will have this opening. @throws {RpcError} `limit` if there is none. */
  readonly hold: (opening: SessionOpening) => Holding;
  readonly emit: GatewayEventListener;
  /**
   * Called when a session can't continue from the client's position, because its journal no longer contains the next
   * entries.
   */
  readonly onGap: () => void;
}

/** The id and the capabilities of a client, which are the same for all of its sessions. */
export interface ClientTraits {
  /** The id of the client, unique among all clients of its sessions. */
  readonly client: string;
  readonly abilities: ClientAbilities;
  readonly sendsCursors: boolean;
  /** Creates the client's view of a session. */
  readonly viewOf: (key: SessionKey, state: SessionState) => ClientView;
}

/** The sessions to which one client is attached: at most once to each. */
export class Attachments {
  readonly #options: AttachmentsOptions;
  readonly #attached = new Map<string, Attachment>();
  /** Pending {@link join}s, so that concurrent requests of a client attach once. */
  readonly #joining = new Map<string, Promise<Attachment>>();
  /**
   * Pending requests of the client that open a session (load and resume), so that its further requests about the
   * session wait for them.
   */
  readonly #opening = new Map<string, Promise<unknown>>();
  /**
   * For each session that no longer exists, the client's last position in the journal: the client was attached to the
   * session when it disappeared, or sent the position as a cursor.
   */
  readonly #missing = new Map<string, Position>();
  #isClosed = false;

  constructor(options: AttachmentsOptions) {
    this.#options = options;
  }

  get(sessionId: string): Attachment | undefined {
    return this.#attached.get(sessionId);
  }

  /** The client's position in a session that it has open, or had open when the session disappeared. */
  position(sessionId: string): Position | undefined {
    return this.#attached.get(sessionId)?.position ?? this.#missing.get(sessionId);
  }

  /**
   * Attaches the client, or continues its attachment to the session from another point. Delivery begins when `start` of
   * the result is called.
   */
  add(point: AttachPoint, { client, abilities, sendsCursors }: ClientTraits): Attachment {
    const { connection, connectionId, replica, clock, times, room, emit, onGap } = this.#options;
    const { key } = point.feed;
    const { sessionId } = key;
    this.#missing.delete(sessionId);
    const known = this.#attached.get(sessionId);
    if (known !== undefined) {
      known.reopen(point);
      return known;
    }
    const onLost = (why: DeliveryLoss, position: Position): void => {
      if (why === "missing") {
        this.gone(sessionId);
        this.missing(sessionId, position);
        return;
      }
      if (why === "ahead") emit({ type: "journal_lost", session: key });
      if (typeof why === "object") emit({ type: "engine_failed", error: why });
      this.remove(sessionId, gapError(why));
      onGap();
    };
    const traits = { client, abilities, sendsCursors };
    const attachment = new Attachment(
      { connection, connectionId, ...traits, replica, clock, times, room, onLost },
      point,
    );
    if (this.#isClosed) {
      // No owner knows of it, and the client may be attached on another connection
      attachment.detach(clientGone(), { stays: true });
      return attachment;
    }
    this.#attached.set(sessionId, attachment);
    return attachment;
  }

  /**
   * Records that a session no longer exists. A failover may lose the deletion, so that the session exists again later.
   * A client that then uses the session continues from this position.
   */
  missing(sessionId: string, position: Position): void {
    const [oldest = sessionId] = this.#missing.keys();
    if (this.#missing.size === MAX_MISSING) this.#missing.delete(oldest);
    this.#missing.set(sessionId, position);
  }

  /**
   * Runs a request of the client that opens a session, after the client's earlier requests that open or join it. If the
   * client is attached to the session, delivery waits until the request has its response, so that no other updates
   * arrive between those of a replay, even if the replay fails. The caller must return the promise itself to the
   * connection.
   */
  opening<Result>(sessionId: string, open: () => Promise<Result>): Promise<Result> {
    const opening = this.#openAfter(this.joined(sessionId), open).finally(() => {
      if (this.#opening.get(sessionId) === opening) this.#opening.delete(sessionId);
    });
    this.#opening.set(sessionId, opening);
    // If the request fails, the attachment is still paused. The connection waits for the same promise and sends the
    // error response. The last callback runs later.
    void opening
      .catch(() => {})
      .then(() => {
        if (!this.isOpening(sessionId)) this.#attached.get(sessionId)?.resume();
      });
    return opening;
  }

  async #openAfter<Result>(earlier: Promise<Attachment | undefined>, open: () => Promise<Result>): Promise<Result> {
    (await earlier)?.pause();
    return open();
  }

  isOpening(sessionId: string): boolean {
    return this.#opening.has(sessionId);
  }

  /**
   * Waits until the client has opened the session. Without such a request, attaches the client to the session: it uses
   * the session without having opened it on this connection. The effect is that of `session/resume`.
   */
  join(key: SessionKey, traits: ClientTraits): Promise<Attachment> {
    const { sessionId } = key;
    const known = this.#attached.get(sessionId);
    if (known !== undefined && !this.isOpening(sessionId)) return Promise.resolve(known);
    let joining = this.#joining.get(sessionId);
    if (joining === undefined) {
      joining = this.#join(key, traits).finally(() => this.#joining.delete(sessionId));
      this.#joining.set(sessionId, joining);
    }
    return joining;
  }

  /**
   * Resolves with the client's attachment to a session when no request of the client opens or joins it any more;
   * `undefined` if there is none.
   */
  async joined(sessionId: string): Promise<Attachment | undefined> {
    await Promise.allSettled([this.#opening.get(sessionId), this.#joining.get(sessionId)]);
    return this.#attached.get(sessionId);
  }

  /** Ends an attachment. Its pending prompts reject with `reason`. */
  remove(sessionId: string, reason: unknown = clientGone()): void {
    this.#attached.get(sessionId)?.detach(reason);
    this.#attached.delete(sessionId);
  }

  /** Ends an attachment, because the session no longer exists. */
  gone(sessionId: string): void {
    this.#attached.get(sessionId)?.gone();
    this.#attached.delete(sessionId);
  }

  /** Whether the client is attached to a session that runs a turn, or to a session that this replica owns. */
  get isNeeded(): boolean {
    const { owned } = this.#options.replica;
    return [...this.#attached.values()].some(({ hasTurn, key }) => hasTurn || owned.has(keyName(key)));
  }

  /** Calls `tend` of every attachment. The connection calls this method at intervals. */
  tend(): void {
    for (const attachment of this.#attached.values()) attachment.tend();
  }

  /** Ends all attachments. An attachment that is added later ends immediately. */
  close(): void {
    this.#isClosed = true;
    for (const sessionId of [...this.#attached.keys()]) this.remove(sessionId);
  }

  /**
   * Ends all attachments of a client that may continue on another connection. The owners of the sessions are not
   * notified, and treat the client as attached.
   */
  suspend(): void {
    this.#isClosed = true;
    for (const attachment of this.#attached.values()) attachment.detach(clientGone(), { stays: true });
    this.#attached.clear();
  }

  async #join(key: SessionKey, traits: ClientTraits): Promise<Attachment> {
    await this.#opening.get(key.sessionId)?.catch(() => {}); // the request that opens the session gets the error
    const opened = this.#attached.get(key.sessionId);
    if (opened !== undefined) return opened;
    const { replica, reader, hold } = this.#options;
    const { record } = await replica.find(key);
    const { cwd, additionalDirectories } = record;
    const opening = { cwd, additionalDirectories, mcpServers: [] };
    const holding = hold(opening);
    try {
      const known = this.#missing.get(key.sessionId);
      const session = await reader.open(key, known);
      const { feed, state, at } = session;
      const from = known ?? at;
      const open = await reader.openRequests(session, from);
      const view = traits.viewOf(key, state);
      if (view.needsHistory) await reader.recall(session, from, view);
      // The view has to know the options, although no response contains them
      view.opened(state.setup, state.version ?? 1);
      const viewStart = viewStartFor(state, from);
      const attachment = this.add({ feed, opening, view, holding, from, viewStart, turn: state.turn }, traits);
      attachment.start(opening, { setup: {} }, requestsFor(traits, open));
      return attachment;
    } catch (error) {
      holding.release();
      throw error;
    }
  }
}

/** The error of a client's pending prompts when the journal does not contain the client's next entries. */
function gapError(why: Exclude<DeliveryLoss, "missing">): unknown {
  if (why === "expired") return cursorExpired();
  if (why === "ahead")
    return gatewayError("journal_lost", "The session's journal has lost entries: load the session again");
  return engineFailure(why);
}

/** Returns those of the open requests to which a client may respond. */
export function requestsFor({ client, abilities }: ClientTraits, open: readonly OpenedRequest[]): OpenedRequest[] {
  return abilities.isInteractive ? open.filter(({ to }) => to === undefined || to === client) : [];
}

/**
 * The maximum number of positions in sessions that no longer exist. If it is exceeded, the oldest position is removed.
 */
const MAX_MISSING = 1_000;
