import { CapabilityError } from "@acp-kit/protocol";
import type {
  AvailableCommand,
  ContentBlock,
  Notice,
  PlanEntry,
  SessionConfigOption,
  SessionInfoUpdate,
  SessionUpdate,
  UsageUpdate,
} from "@acp-kit/schema";
import type { AgentPeer } from "./agent-peer.js";
import { ClientHandle } from "./client-handle.js";
import { withoutBooleans } from "./config-options.js";
import { toBlock } from "./content.js";
import type { Sent } from "./session-channel.js";
import { ToolCall, type ToolCallInit } from "./tool-call.js";

/** Which message a chunk belongs to: chunks with the same id are one message. */
export interface ChunkOptions {
  readonly messageId?: string;
}

/**
 * One session as an agent speaks into it: every update the protocol has, and the client's methods with the session filled in.
 *
 * Updates are accepted at the call and leave in call order. What they return is a promise only while the client is behind: await
 * it to send no faster than the client reads.
 *
 * @see https://agentclientprotocol.com/protocol/v1/prompt-turn
 */
export class SessionHandle {
  readonly sessionId: string;
  /** The client's methods, for this session. */
  readonly client: ClientHandle;
  readonly #peer: AgentPeer;
  readonly #send: (update: SessionUpdate) => Sent;

  /** @internal */
  constructor(peer: AgentPeer, sessionId: string, send: (update: SessionUpdate) => Sent, signal?: AbortSignal) {
    this.#peer = peer;
    this.sessionId = sessionId;
    this.#send = send;
    this.client = new ClientHandle(peer, sessionId, signal);
  }

  /** Sends any update, as the schema has it. */
  update(update: SessionUpdate): Sent {
    return this.#send(update);
  }

  /** Adds to what the agent says. */
  message(chunk: string | ContentBlock, options?: ChunkOptions): Sent {
    return this.#send({ sessionUpdate: "agent_message_chunk", content: toBlock(chunk), ...options });
  }

  /** Adds to what the agent thinks. */
  thought(chunk: string | ContentBlock, options?: ChunkOptions): Sent {
    return this.#send({ sessionUpdate: "agent_thought_chunk", content: toBlock(chunk), ...options });
  }

  /** Adds to what the user said: for replay in `session/load`. A live prompt is not echoed. */
  userMessage(chunk: string | ContentBlock, options?: ChunkOptions): Sent {
    return this.#send({ sessionUpdate: "user_message_chunk", content: toBlock(chunk), ...options });
  }

  /** Replaces the plan: always the whole list. */
  plan(entries: readonly PlanEntry[]): Sent {
    return this.#send({ sessionUpdate: "plan", entries: [...entries] });
  }

  /** Announces a tool call and returns it. */
  toolCall(init: ToolCallInit): ToolCall {
    return new ToolCall({ client: this.client, signal: undefined, send: this.#send }, init);
  }

  /** Tells how full the context is, in tokens, and what the session has cost so far. */
  usage(usage: UsageUpdate): Sent {
    return this.#send({ sessionUpdate: "usage_update", ...usage });
  }

  /** Sets the session's title; `null` clears it. */
  title(title: string | null): Sent {
    return this.info({ title });
  }

  /** Changes what lists show of the session. Absent keeps, `null` clears. */
  info(info: SessionInfoUpdate): Sent {
    return this.#send({ sessionUpdate: "session_info_update", ...info });
  }

  /** Replaces the list of slash commands. Names have no leading slash. */
  commands(availableCommands: readonly AvailableCommand[]): Sent {
    return this.#send({ sessionUpdate: "available_commands_update", availableCommands: [...availableCommands] });
  }

  /** Tells that the mode has changed. */
  mode(currentModeId: string): Sent {
    return this.#send({ sessionUpdate: "current_mode_update", currentModeId });
  }

  /** Replaces the list of config options. Boolean ones are left out for a client that can't show them. */
  configOptions(options: readonly SessionConfigOption[]): Sent {
    return this.#send({ sessionUpdate: "config_option_update", configOptions: withoutBooleans(this.#peer, options) });
  }

  /**
   * Shows a notice beside the conversation. Nothing may depend on it.
   *
   * @throws {CapabilityError} when the client shows none; say it in a message instead.
   */
  notice(notice: Notice): Sent {
    const capability = "clientCapabilities.session.notices";
    if (!this.#peer.offers(capability)) throw new CapabilityError("session/update notice", capability);
    return this.#send({ sessionUpdate: "notice", ...notice });
  }

  /**
   * Tells how a compaction of the context goes: `compaction_update` and `compaction_summary_chunk`.
   *
   * @throws {CapabilityError} when the client does not show compactions.
   */
  compaction(
    update: Extract<SessionUpdate, { sessionUpdate: "compaction_update" | "compaction_summary_chunk" }>,
  ): Sent {
    const capability = "clientCapabilities.session.compaction";
    if (!this.#peer.offers(capability)) throw new CapabilityError(`session/update ${update.sessionUpdate}`, capability);
    return this.#send(update);
  }
}
