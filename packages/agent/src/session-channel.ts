import type { SessionNotification, SessionUpdate } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import { GrowingText, type TextChunk } from "./growing-text.js";
import { PermissionMemory } from "./permission-memory.js";
import { SessionSettings } from "./session-settings.js";
import { isPromiseLike } from "./when-answered.js";

/** A promise for room to send more, or nothing when there is room. Await it to send no faster than the client reads. */
export type Sent = Promise<void> | undefined;

/** See `AgentDefinition.beforeUpdate`. */
export type BeforeUpdate = (params: SessionNotification) => unknown;

/** What the channels of a connection have in common. */
export interface ChannelOptions {
  /** How many updates may wait for the response that creates their session. */
  readonly maxHeld: number;
  readonly beforeUpdate: BeforeUpdate | undefined;
  /** Whether mistakes of the author are thrown rather than reported. */
  readonly strict: boolean;
}

/**
 * The way of one session's updates to the client, and what the session remembers on this connection.
 *
 * No update leaves before the response that created the session: until {@link open} they are held. After {@link close} they
 * are dropped and reported.
 */
export class SessionChannel {
  readonly sessionId: string;
  /** Mode and config options, as last told to the client. */
  readonly settings: SessionSettings = new SessionSettings();
  /** Whether mistakes of the author are thrown rather than reported. */
  readonly strict: boolean;
  readonly #peer: AgentPeer;
  readonly #maxHeld: number;
  readonly #beforeUpdate: BeforeUpdate | undefined;
  #state: "held" | "open" | "closed" = "held";
  // Most sessions of an agent are idle: what only some need is made when it is first used.
  #permissions: PermissionMemory | undefined;
  #text: GrowingText | undefined;
  #held: SessionUpdate[] | undefined;
  /** Settles when every update that waits for {@link BeforeUpdate} has left; never rejects. */
  #writing: Promise<void> | undefined;
  /** What writing an update down failed with, until somebody is told. */
  #failures: unknown[] | undefined;

  constructor(peer: AgentPeer, sessionId: string, { maxHeld, beforeUpdate, strict }: ChannelOptions) {
    this.#peer = peer;
    this.#maxHeld = maxHeld;
    this.#beforeUpdate = beforeUpdate;
    this.strict = strict;
    this.sessionId = sessionId;
  }

  /** What the user has allowed or rejected for the whole session. */
  get permissions(): PermissionMemory {
    this.#permissions ??= new PermissionMemory();
    return this.#permissions;
  }

  send(update: SessionUpdate): Sent {
    this.#text?.flush();
    return this.#accept(update);
  }

  /** Sends text together with what follows it within `ms` milliseconds in the same message. */
  grow(chunk: TextChunk, ms: number): Sent {
    this.#text ??= new GrowingText((text) => this.#quietly(text, () => this.#accept(text)));
    return this.#text.add(chunk, ms);
  }

  /** Text that waits for more leaves now. */
  flush(): void {
    this.#text?.flush();
  }

  /**
   * Makes sure that what was accepted so far leaves first. A promise only where something waits to be written down; it rejects with
   * what that failed with, once.
   */
  settled(): Promise<void> | undefined {
    this.#text?.flush();
    if (this.#writing === undefined && this.#failures === undefined) return undefined;
    return Promise.resolve(this.#writing).then(() => {
      const [failure] = this.#failures ?? [];
      this.#failures = undefined;
      if (failure !== undefined) throw failure;
    });
  }

  /** The client knows the session: what was held leaves, in order. */
  open(): void {
    this.#state = "open";
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const update of held) void this.#quietly(update, () => this.#leave(update));
  }

  /** The session could not be opened after all, or not yet: updates are held again. */
  hold(): void {
    this.#state = "held";
  }

  close(): void {
    this.#state = "closed";
    this.#text?.drop();
    this.#held = undefined;
  }

  #accept(update: SessionUpdate): Sent {
    this.settings.note(update);
    if (this.#state === "open") return this.#leave(update);
    if (this.#state === "held" && (this.#held?.length ?? 0) < this.#maxHeld) {
      this.#held ??= [];
      this.#held.push(update);
      return undefined;
    }
    const why = this.#state === "held" ? "too many updates wait for it to be created" : "it was closed";
    const message = `A ${update.sessionUpdate} for session ${this.sessionId} was dropped: ${why}`;
    this.#peer.report({ code: "update_dropped", message });
    return undefined;
  }

  /** For what nobody waits for: a failure is told by {@link settled}. */
  #quietly(update: SessionUpdate, send: () => Sent): Sent {
    try {
      return send();
    } catch (error) {
      this.#failed(update, error);
      return undefined;
    }
  }

  #leave(update: SessionUpdate): Sent {
    if (this.#beforeUpdate === undefined) return this.#notify(update);
    const params = { sessionId: this.sessionId, update };
    if (this.#writing !== undefined) return this.#leaveLater(update, () => this.#beforeUpdate?.(params));
    const written = this.#beforeUpdate(params);
    return isPromiseLike(written) ? this.#leaveLater(update, () => written) : this.#notify(update);
  }

  #leaveLater(update: SessionUpdate, written: () => unknown): Promise<void> {
    const before = this.#writing;
    const left = (async () => {
      await before;
      await written();
      const room = this.#notify(update);
      return { room };
    })();
    const writing: Promise<void> = left
      .then(
        () => {},
        (error) => this.#failed(update, error),
      )
      .then(() => {
        if (this.#writing === writing) this.#writing = undefined;
      });
    this.#writing = writing;
    const sent = left.then(({ room }) => room);
    sent.catch(() => {}); // told by `settled`, too
    return sent;
  }

  #failed(update: SessionUpdate, error: unknown): void {
    this.#failures ??= [];
    this.#failures.push(error);
    const message = `A ${update.sessionUpdate} for session ${this.sessionId} was not sent, because it could not be written down`;
    this.#peer.report({ code: "update_not_written", message, cause: error });
  }

  #notify(update: SessionUpdate): Sent {
    return this.#peer.notify("session/update", { sessionId: this.sessionId, update });
  }
}
