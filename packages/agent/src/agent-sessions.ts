import { RpcError, shorten } from "@acp-kit/protocol";
import type { AgentPeer } from "./agent-peer.js";
import { type ChannelOptions, SessionChannel } from "./session-channel.js";
import { SessionHandle } from "./session-handle.js";
import { type PlayTurn, type TurnPolicy, TurnRunner } from "./turn-runner.js";

/** A session that is active on this connection: it was created, loaded or resumed over it, and not closed. */
export interface ActiveSession {
  readonly sessionId: string;
  readonly channel: SessionChannel;
  readonly turns: TurnRunner;
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

  constructor(peer: AgentPeer, prompt: PlayTurn, policy: TurnPolicy, channelOptions: ChannelOptions) {
    this.#peer = peer;
    this.#prompt = prompt;
    this.#policy = policy;
    this.#channelOptions = channelOptions;
  }

  find(sessionId: string): ActiveSession | undefined {
    return this.#active.get(sessionId);
  }

  /** Returns an active session. @throws {RpcError} `-32002` when the session is not active on this connection. */
  active(sessionId: string): ActiveSession {
    const session = this.#active.get(sessionId);
    if (session === undefined) throw sessionNotFound(sessionId);
    return session;
  }

  handle(sessionId: string): SessionHandle {
    return new SessionHandle(this.#peer, this.#channel(sessionId));
  }

  /**
   * Makes a session active, so that it accepts prompts. The caller calls {@link SessionChannel.open} after the response
   * that creates the session; until then, the session's updates are held.
   */
  activate(sessionId: string): ActiveSession {
    const existing = this.#active.get(sessionId);
    if (existing !== undefined) return existing;
    const channel = this.#channel(sessionId);
    const turns = new TurnRunner(this.#peer, channel, this.#prompt, this.#policy);
    const session = { sessionId, channel, turns };
    this.#active.set(sessionId, session);
    return session;
  }

  /** Undoes {@link activate}. Called when opening the session has failed. */
  deactivate({ sessionId, channel }: ActiveSession): void {
    this.#active.delete(sessionId);
    channel.hold();
  }

  /** Cancels a session's turns and waits until their responses are sent. */
  async stop({ turns }: ActiveSession): Promise<void> {
    turns.cancel(new DOMException("The session was closed", "AbortError"));
    await turns.idle();
  }

  forget(sessionId: string): void {
    this.#active.delete(sessionId);
    this.#channels.get(sessionId)?.close();
    this.#channels.delete(sessionId);
  }

  /** Cancels all turns. @param reasonOf creates the reason; it is not called if no turn runs, because creating an error takes 25 µs. */
  cancelAll(reasonOf: () => unknown): void {
    if (this.#active.size === 0) return;
    const reason = reasonOf();
    for (const { turns } of this.#active.values()) turns.cancel(reason);
  }

  #channel(sessionId: string): SessionChannel {
    let channel = this.#channels.get(sessionId);
    if (channel === undefined) {
      channel = new SessionChannel(this.#peer, sessionId, this.#channelOptions);
      this.#channels.set(sessionId, channel);
    }
    return channel;
  }
}
