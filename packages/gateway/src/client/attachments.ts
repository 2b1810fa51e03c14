import type { Connection } from "@acp-kit/jsonrpc";
import type { GatewayClock } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import type { Position } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { cursorExpired, gatewayError } from "../gateway-error.js";
import type { Feed } from "../journal/feed.js";
import type { Presence, SessionOpening } from "../session/command.js";
import { Attachment, clientGone } from "./attachment.js";
import type { AttachedSession } from "./known-clients.js";
import type { SessionReader } from "./session-reader.js";

/** What {@link Attachments} work with. */
export interface AttachmentsOptions {
  readonly connection: Connection;
  readonly replica: Replica;
  readonly reader: SessionReader;
  readonly clock: GatewayClock;
  readonly retryMs: number;
  readonly emit: GatewayEventListener;
  /** A session can't go on where the client is: entries that it needs are gone. */
  readonly onGap: () => void;
}

/** What a client is and advertised: the same for all of its sessions. */
export interface ClientTraits {
  /** Names the client among all clients of its sessions. */
  readonly client: string;
  readonly presence: Presence;
  readonly sendsCursors: boolean;
}

/** Where a client joins a session. */
export interface AttachPoint {
  readonly feed: Feed;
  readonly opening: SessionOpening;
  /** The position behind which delivery starts. */
  readonly from: Position;
  /** The turn that runs there. */
  readonly turn: string | null;
  /** The keys of prompts that the client sent on another connection, and will send again. Default none. */
  readonly ownPrompts?: ReadonlySet<string>;
}

/** The sessions to which one client is attached: at most once to each. */
export class Attachments {
  readonly #options: AttachmentsOptions;
  readonly #attached = new Map<string, Attachment>();
  /** Attachments that are being made, so that two requests of a client make one. */
  readonly #attaching = new Map<string, Promise<Attachment>>();
  #isClosed = false;

  constructor(options: AttachmentsOptions) {
    this.#options = options;
  }

  get(sessionId: string): Attachment | undefined {
    return this.#attached.get(sessionId);
  }

  /** Attaches the client, in place of an earlier attachment to the same session. Delivery begins with `start` of the result. */
  add(point: AttachPoint, { client, presence, sendsCursors }: ClientTraits): Attachment {
    const { feed, opening, from, turn, ownPrompts = new Set<string>() } = point;
    const { connection, replica, clock, retryMs, emit, onGap } = this.#options;
    const { sessionId } = feed.key;
    const options = {
      connection,
      client,
      replica,
      clock,
      feed,
      opening,
      presence,
      sendsCursors,
      ownPrompts,
      retryMs,
      onLost: (why: "expired" | "ahead" | "missing") => {
        if (why !== "expired") emit({ type: "journal_lost", session: feed.key });
        const message = "The session's journal has lost entries: load it again";
        this.remove(sessionId, why === "expired" ? cursorExpired() : gatewayError("journal_lost", message));
        if (why !== "missing") onGap();
      },
    };
    const attachment = new Attachment(options, from, turn);
    this.remove(sessionId);
    if (this.#isClosed) attachment.detach(clientGone());
    else this.#attached.set(sessionId, attachment);
    return attachment;
  }

  /** Attaches to a session that the client uses without having opened it here: as a resume would. */
  join(key: SessionKey, traits: ClientTraits): Promise<Attachment> {
    const { sessionId } = key;
    const known = this.#attached.get(sessionId);
    if (known !== undefined) return Promise.resolve(known);
    let attaching = this.#attaching.get(sessionId);
    if (attaching === undefined) {
      attaching = this.#join(key, traits).finally(() => this.#attaching.delete(sessionId));
      this.#attaching.set(sessionId, attaching);
    }
    return attaching;
  }

  /** Ends an attachment. `reason` is what its pending prompts reject with. */
  remove(sessionId: string, reason: unknown = clientGone()): void {
    this.#attached.get(sessionId)?.detach(reason);
    this.#attached.delete(sessionId);
  }

  /** Looks after pending prompts and open requests; called from time to time. */
  tend(): void {
    for (const attachment of this.#attached.values()) attachment.tend();
  }

  /** Ends all attachments. Later ones end at once. */
  close(): void {
    this.#isClosed = true;
    for (const sessionId of [...this.#attached.keys()]) this.remove(sessionId);
  }

  /** Ends all attachments of a client that may come back: it does not leave its sessions. Returns them. */
  suspend(): AttachedSession[] {
    this.#isClosed = true;
    const sessions = Array.from(this.#attached.values(), (attachment) => attachment.session);
    for (const attachment of this.#attached.values()) attachment.detach(clientGone(), { stays: true });
    this.#attached.clear();
    return sessions;
  }

  async #join(key: SessionKey, traits: ClientTraits): Promise<Attachment> {
    const { replica, reader } = this.#options;
    const { record } = await replica.find(key);
    const { feed, state, at } = await reader.open(key);
    const { cwd, additionalDirectories } = record;
    const opening = { cwd, additionalDirectories, mcpServers: [] };
    const attachment = this.add({ feed, opening, from: at, turn: state.turn }, traits);
    attachment.start();
    return attachment;
  }
}
