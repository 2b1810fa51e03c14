import { RpcError } from "@acp-kit/protocol";
import { deferred, shorten } from "@acp-kit/protocol/internal";
import type { AgentPeer } from "./agent-peer.js";
import { type ChannelOptions, SessionChannel } from "./session-channel.js";
import { SessionHandle } from "./session-handle.js";
import type { PlayTurn } from "./turn.js";
import type { TurnPolicy } from "./turn-policy.js";
import { TurnRunner } from "./turn-runner.js";

/** A session that is active on this connection: it was created, loaded or resumed over it, and not closed. */
export interface ActiveSession {
  readonly sessionId: string;
  readonly channel: SessionChannel;
  readonly turns: TurnRunner;
  /**
   * A promise that resolves when the request that closes the session has its response; `undefined` if there is none.
   */
  closing: Promise<void> | undefined;
}

/**
 * Creates the error `-32002` for a session that does not exist, with the session id in `data`. @see
 * https://agentclientprotocol.com/protocol/v1/errors
 */
export function sessionNotFound(sessionId: string): RpcError {
  const id = shorten(sessionId);
  return new RpcError(-32002, `Session not found: ${id}`, { data: { sessionId: id } });
}

/** The sessions of one connection. */
export class AgentSessions {
  readonly #peer: AgentPeer;
  readonly #prompt: PlayTurn;
  readonly #policy: TurnPolicy;
  readonly #channelOptions: ChannelOptions;
  readonly #active = new Map<string, ActiveSession>();
  /** All channels, including those of sessions that are not active yet. */
  readonly #channels = new Map<string, SessionChannel>();
  /** The number of requests that are opening a session, by its id. */
  readonly #opening = new Map<string, number>();

  constructor(peer: AgentPeer, prompt: PlayTurn, policy: TurnPolicy, channelOptions: ChannelOptions) {
    this.#peer = peer;
    this.#prompt = prompt;
    this.#policy = policy;
    this.#channelOptions = channelOptions;
  }

  find(sessionId: string): ActiveSession | undefined {
    return this.#active.get(sessionId);
  }

  /**
   * Returns an active session.
   *
   * @throws {RpcError} `-32002` when the session is not active on this connection, or is being closed.
   */
  active(sessionId: string): ActiveSession {
    const session = this.#active.get(sessionId);
    if (session === undefined || session.closing !== undefined) throw sessionNotFound(sessionId);
    return session;
  }

  handle(sessionId: string): SessionHandle {
    return new SessionHandle(this.#peer, this.channel(sessionId));
  }

  /**
   * Makes a session active, so that it accepts prompts. The caller calls {@link SessionChannel.open} after the response
   * that creates the session; until then, the session's updates are held.
   */
  activate(sessionId: string): ActiveSession {
    const existing = this.#active.get(sessionId);
    if (existing !== undefined) return existing;
    const channel = this.channel(sessionId);
    const turns = new TurnRunner(this.#peer, channel, this.#prompt, this.#policy);
    const session: ActiveSession = { sessionId, channel, turns, closing: undefined };
    this.#active.set(sessionId, session);
    return session;
  }

  /**
   * Runs the handler of a request that opens a session. The handler calls {@link activate} when the session is open. If
   * it fails, the channel is forgotten, unless another request has opened or is opening the session.
   */
  async open<Result>(sessionId: string, handler: (channel: SessionChannel) => Promise<Result>): Promise<Result> {
    await this.#active.get(sessionId)?.closing;
    const opening = this.#opening;
    opening.set(sessionId, (opening.get(sessionId) ?? 0) + 1);
    try {
      return await handler(this.channel(sessionId));
    } finally {
      const others = (opening.get(sessionId) ?? 0) - 1;
      if (others > 0) opening.set(sessionId, others);
      else {
        opening.delete(sessionId);
        if (!this.#active.has(sessionId)) this.forget(sessionId);
      }
    }
  }

  /**
   * Cancels the turns of a session, waits for their responses, runs the handler of the request that closes the session,
   * and forgets it. From the call on, the session accepts no requests. If the handler fails, the session stays active.
   */
  async close<Result>(session: ActiveSession, handler: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = deferred<void>();
    session.closing = promise;
    try {
      session.turns.cancel(new DOMException("The session was closed", "AbortError"));
      await session.turns.idle();
      const result = await handler();
      this.forget(session.sessionId);
      return result;
    } finally {
      session.closing = undefined;
      setTimeout(resolve); // after the response, which is sent in this tick
    }
  }

  forget(sessionId: string): void {
    this.#active.delete(sessionId);
    this.#channels.get(sessionId)?.close();
    this.#channels.delete(sessionId);
  }

  /**
   * Cancels all turns.
   *
   * @param reasonOf creates the reason; it is not called if no turn runs, because creating an error is slow.
   */
  cancelAll(reasonOf: () => unknown): void {
    if (this.#active.size === 0) return;
    const reason = reasonOf();
    for (const { turns } of this.#active.values()) turns.cancel(reason);
  }

  /** Returns the channel of a session, which need not be active. */
  channel(sessionId: string): SessionChannel {
    let channel = this.#channels.get(sessionId);
    if (channel === undefined) {
      channel = new SessionChannel(this.#peer, sessionId, this.#channelOptions);
      this.#channels.set(sessionId, channel);
    }
    return channel;
  }
}
