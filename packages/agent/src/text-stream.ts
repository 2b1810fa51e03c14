import type { ContentBlock } from "@acp-kit/types";
import { toBlock } from "./content.js";
import type { Sent, SessionChannel } from "./session-channel.js";

/** How a streamed message is sent. */
export interface TextStreamOptions {
  /** What its chunks have in common; a new id by default. */
  readonly messageId?: string;
  /**
   * Join the text that is written within so many milliseconds into one chunk: 0 joins what is written in one tick. By default every
   * write is a chunk of its own. Nothing overtakes the text: whatever else is sent takes it along first.
   */
  readonly coalesceMs?: number;
}

/** One message or thought, written piece by piece under one id. */
export class TextStream {
  readonly messageId: string;
  readonly #sessionUpdate: "agent_message_chunk" | "agent_thought_chunk";
  readonly #coalesceMs: number | undefined;
  readonly #channel: Pick<SessionChannel, "send" | "grow">;

  /** @internal Made by `turn.messageStream` and `turn.thoughtStream`. */
  constructor(
    sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
    channel: Pick<SessionChannel, "send" | "grow">,
    { messageId = `msg_${crypto.randomUUID()}`, coalesceMs }: TextStreamOptions,
  ) {
    this.#sessionUpdate = sessionUpdate;
    this.#channel = channel;
    this.messageId = messageId;
    this.#coalesceMs = coalesceMs;
  }

  /** Adds a piece: text, or any other block. Empty text sends nothing. */
  write(chunk: string | ContentBlock): Sent {
    if (chunk === "") return undefined;
    const { messageId } = this;
    const content = toBlock(chunk);
    if (this.#coalesceMs === undefined || content.type !== "text" || hasExtras(content)) {
      return this.#channel.send({ sessionUpdate: this.#sessionUpdate, content, messageId });
    }
    return this.#channel.grow({ sessionUpdate: this.#sessionUpdate, content, messageId }, this.#coalesceMs);
  }
}

/** Text with annotations or metadata of its own is no piece of other text. */
function hasExtras({ annotations, _meta }: Extract<ContentBlock, { type: "text" }>): boolean {
  return annotations != null || _meta != null;
}
