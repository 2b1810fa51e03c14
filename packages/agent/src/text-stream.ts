import type { ContentBlock } from "@acp-kit/types";
import { toBlock } from "./content.js";
import type { Sent } from "./sent.js";
import type { Outlet } from "./session-channel.js";
import { versionOf } from "./versioned-session.js";

/** Options of a {@link TextStream}. */
export interface TextStreamOptions {
  /** The message id of all chunks of the stream. By default, the stream creates a new id. */
  readonly messageId?: string;
  /**
   * The time in milliseconds for which the stream joins written text into one chunk; 0 joins the text of one tick. By
   * default, every write is a separate chunk. The joined text is sent before any later message, so the order is kept.
   */
  readonly coalesceMs?: number;
}

/** A stream that sends one message or thought piece by piece, under one message id. */
export class TextStream {
  readonly messageId: string;
  readonly #sessionUpdate: "agent_message_chunk" | "agent_thought_chunk";
  readonly #coalesceMs: number | undefined;
  readonly #channel: Outlet;

  /** @internal Created by `turn.messageStream` and `turn.thoughtStream`. */
  constructor(
    sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
    channel: Outlet,
    { messageId = `msg_${crypto.randomUUID()}`, coalesceMs }: TextStreamOptions,
  ) {
    this.#sessionUpdate = sessionUpdate;
    this.#channel = channel;
    this.messageId = messageId;
    this.#coalesceMs = coalesceMs;
  }

  /** Sends text or any other content block as part of the message. Empty text sends nothing. */
  write(chunk: string | ContentBlock): Sent {
    if (chunk === "") return undefined;
    const { messageId } = this;
    const content = toBlock(chunk);
    if (this.#coalesceMs === undefined || content.type !== "text" || hasExtras(content)) {
      return this.#channel.send({ sessionUpdate: this.#sessionUpdate, content, messageId });
    }
    return this.#channel.accumulate({ sessionUpdate: this.#sessionUpdate, content, messageId }, this.#coalesceMs);
  }

  /**
   * Replaces the whole message by a text or another content block, which later chunks extend.
   *
   * @throws {CapabilityError} on a connection of version 1, which has no replacement, and when the agent was created
   * without the option `versions`.
   */
  replace(content: string | ContentBlock): Sent {
    const version = versionOf(this.#channel.version, "replace");
    return this.#channel.send(version.replacement(this.#sessionUpdate, this.messageId, toBlock(content)));
  }
}

/** Returns whether a text block has annotations or metadata, so that it can't be joined with other text. */
function hasExtras({ annotations, _meta }: Extract<ContentBlock, { type: "text" }>): boolean {
  return annotations != null || _meta != null;
}
