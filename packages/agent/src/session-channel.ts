import { isThenable } from "@acp-kit/protocol/internal";
import type { SessionNotification, SessionUpdate } from "@acp-kit/types";
import { AccumulatedText, type TextChunk } from "./accumulated-text.js";
import type { AgentPeer } from "./agent-peer.js";
import { withoutBooleans } from "./config-options.js";
import { PermissionMemory } from "./permission-memory.js";
import type { Sent } from "./sent.js";
import { SessionSettings } from "./session-settings.js";
import type { SessionPort, VersionedSession } from "./versioned-session.js";
import type { VersionedUpdate } from "./versioned-update.js";
import { WholeText } from "./whole-text.js";

/**
 * The object that sends the updates: the session's channel or, in a turn, an object that drops updates once the turn
 * has ended.
 */
export type Outlet = Pick<SessionChannel, "send" | "accumulate" | "version">;

/** The type of `AgentDefinition.beforeUpdate`. */
export type BeforeUpdate = (params: SessionNotification) => unknown;

/** Options that all session channels of a connection share. */
export interface ChannelOptions {
  /** The number of updates that can wait for the response that creates their session. */
  readonly maxHeld: number;
  readonly beforeUpdate: BeforeUpdate | undefined;
  /** Whether a tool call throws if the agent sets an earlier status. Otherwise it reports a diagnostic. */
  readonly strict: boolean;
  /** Returns the part of a session that belongs to a version after 1, if the agent speaks one. */
  readonly versioned: (session: SessionPort) => VersionedSession | undefined;
}

/**
 * Sends the updates of one session, and holds the state of the session on this connection.
 *
 * The channel holds updates until {@link open}, because no update may be sent before the response that creates the
 * session. After {@link close}, because the session was closed or could not be opened, the channel drops updates and
 * reports them.
 */
export class SessionChannel {
  readonly sessionId: string;
  /** The mode and the config options, as last sent to the client. */
  readonly settings: SessionSettings = new SessionSettings();
  /** See {@link ChannelOptions.strict}. */
  readonly strict: boolean;
  readonly #peer: AgentPeer;
  readonly #maxHeld: number;
  readonly #beforeUpdate: BeforeUpdate | undefined;
  readonly #versioned: ChannelOptions["versioned"];
  #version: VersionedSession | undefined;
  #state: "held" | "open" | "closed" = "held";
  // Most sessions of an agent are idle, so rarely used parts are created at their first use.
  #permissions: PermissionMemory | undefined;
  #text: AccumulatedText | undefined;
  readonly #whole = new WholeText();
  #held: VersionedUpdate[] | undefined;
  /** A promise that resolves when all updates that wait for {@link BeforeUpdate} have been sent. Never rejects. */
  #persisting: Promise<void> | undefined;
  /** Errors of {@link BeforeUpdate}. The next {@link settled} rejects with the first error and drops the others. */
  #failures: unknown[] | undefined;

  constructor(peer: AgentPeer, sessionId: string, { maxHeld, beforeUpdate, strict, versioned }: ChannelOptions) {
    this.#peer = peer;
    this.#versioned = versioned;
    this.#maxHeld = maxHeld;
    this.#beforeUpdate = beforeUpdate;
    this.strict = strict;
    this.sessionId = sessionId;
  }

  /** The part of the session that belongs to a version after 1, if the agent speaks one. */
  get version(): VersionedSession | undefined {
    this.#version ??= this.#versioned(this);
    return this.#version;
  }

  /** The user's choices of "always". */
  get permissions(): PermissionMemory {
    this.#permissions ??= new PermissionMemory();
    return this.#permissions;
  }

  send(update: VersionedUpdate): Sent {
    this.#text?.flush();
    return this.#accept(update);
  }

  /** Accumulates text of one message for `ms` milliseconds and sends it as one chunk. */
  accumulate(chunk: TextChunk, ms: number): Sent {
    this.#text ??= new AccumulatedText((text) => this.#sendUnawaited(text, () => this.#accept(text)));
    return this.#text.add(chunk, ms);
  }

  /** Sends accumulated text now. */
  flush(): void {
    this.#text?.flush();
  }

  /**
   * Waits until all updates so far have been sent. Returns a promise only if an update waits for {@link BeforeUpdate},
   * or if {@link BeforeUpdate} has failed. In the second case, the promise rejects with the error; later calls don't
   * report the same error again.
   */
  settled(): Promise<void> | undefined {
    this.#text?.flush();
    if (this.#persisting === undefined && this.#failures === undefined) return undefined;
    return Promise.resolve(this.#persisting).then(() => {
      const [failure] = this.#failures ?? [];
      this.#failures = undefined;
      if (failure !== undefined) throw failure;
    });
  }

  /** Runs an action when all updates so far have been sent. */
  afterUpdates(action: () => void): void {
    if (this.#persisting === undefined) action();
    else void this.#persisting.then(action);
  }

  /** Sends the held updates, in order. Called when the client knows the session. */
  open(): void {
    this.#state = "open";
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const update of held) void this.#sendUnawaited(update, () => this.#sendOpen(update));
  }

  close(): void {
    this.#state = "closed";
    this.#text?.drop();
    this.#held = undefined;
    this.#version?.close();
  }

  #accept(given: VersionedUpdate): Sent {
    const update = this.#whole.take(given);
    if (update === undefined) return undefined;
    if (this.#state === "open") return this.#sendOpen(update);
    if (this.#state === "held" && (this.#held?.length ?? 0) < this.#maxHeld) {
      this.#held ??= [];
      this.#held.push(update);
      return undefined;
    }
    const reason = this.#state === "held" ? "too many wait for the session to open" : "the session is not open";
    const message = `A ${update.sessionUpdate} for session ${this.sessionId} was dropped: ${reason}`;
    this.#peer.report({ code: "update_dropped", message });
    return undefined;
  }

  #sendOpen(given: VersionedUpdate): Sent {
    const update = this.version?.identify(given) ?? given;
    // Not while updates are held, because they are sent after the response with the settings
    this.settings.applyUpdate(update);
    return this.#persistAndSend(update);
  }

  /**
   * Sends an update for which no caller awaits the result. If `send` throws, the next {@link settled} rejects with the
   * error.
   */
  #sendUnawaited(update: VersionedUpdate, send: () => Sent): Sent {
    try {
      return send();
    } catch (error) {
      this.#failed(update, error);
      return undefined;
    }
  }

  #persistAndSend(update: VersionedUpdate): Sent {
    if (this.#beforeUpdate === undefined) return this.#notify(update);
    const params = { sessionId: this.sessionId, update: update as SessionUpdate };
    if (this.#persisting !== undefined) return this.#sendLater(update, () => this.#beforeUpdate?.(params));
    const persisted = this.#beforeUpdate(params);
    return isThenable(persisted) ? this.#sendLater(update, () => persisted) : this.#notify(update);
  }

  #sendLater(update: VersionedUpdate, persist: () => unknown): Promise<void> {
    const before = this.#persisting;
    const sending = (async () => {
      await before;
      await persist();
      const room = this.#notify(update);
      return { room };
    })();
    const persisting: Promise<void> = sending
      .then(
        () => {},
        (error) => this.#failed(update, error),
      )
      .then(() => {
        if (this.#persisting === persisting) this.#persisting = undefined;
      });
    this.#persisting = persisting;
    const sent = sending.then(({ room }) => room);
    sent.catch(() => {}); // no unhandled rejection: `settled` throws the error, too
    return sent;
  }

  #failed(update: VersionedUpdate, error: unknown): void {
    this.#failures ??= [];
    this.#failures.push(error);
    const message = `A ${update.sessionUpdate} for session ${this.sessionId} was not sent, because it could not be persisted`;
    this.#peer.report({ code: "update_not_persisted", message, cause: error });
  }

  #notify(update: VersionedUpdate): Sent {
    const sent =
      update.sessionUpdate === "config_option_update"
        ? { ...update, configOptions: withoutBooleans(this.#peer, update.configOptions) }
        : update;
    if (this.#version !== undefined) return this.#version.send(sent);
    return this.#peer.notify("session/update", { sessionId: this.sessionId, update: sent as SessionUpdate });
  }
}
