import type * as v2 from "@acp-kit/types/v2";
import type { Lost } from "../codec/loss.js";
import { BoundedMap } from "./bounded-map.js";

/** The number of messages whose content is remembered, for each session. */
const MAX_MESSAGES = 10_000;

/** What was sent of a message: the length and a hash of its content, so that long messages need no memory. */
interface SentContent {
  length: number;
  hash: number;
}

/**
 * Turns whole messages into chunks, because version 1 only has chunks. It sends the blocks of a new message, and the
 * rest of a message that begins with the content that was sent. Version 1 can't replace content: other content follows
 * as it is.
 *
 * @see https://agentclientprotocol.com/protocol/v2/prompt-lifecycle
 */
export class MessageContents {
  readonly #sent: BoundedMap<string, SentContent>;
  readonly #lost: Lost;

  constructor(lost: Lost) {
    this.#lost = lost;
    this.#sent = new BoundedMap(MAX_MESSAGES, () => lost("too_many_items"));
  }

  /**
   * Remembers a chunk. The ids of user messages, agent messages and thoughts are independent, so `kind` is part of the
   * key.
   */
  chunk(kind: string, messageId: string, block: v2.IncomingContentBlock): void {
    const key = `${kind} ${messageId}`;
    const before = this.#sent.get(key);
    const sent = extended(before ?? empty(), keyOf(block));
    if (before === undefined) this.#sent.set(key, sent);
    else Object.assign(before, sent); // most updates are chunks of one message, so they leave the map as it is
  }

  /** Returns the blocks to send for a whole message. Absent content changes nothing. */
  whole(
    kind: string,
    messageId: string,
    content: readonly v2.IncomingContentBlock[] | null | undefined,
  ): v2.IncomingContentBlock[] {
    if (content === undefined) return [];
    const key = `${kind} ${messageId}`;
    const before = this.#sent.get(key) ?? empty();
    if (content === null || content.length === 0) {
      if (before.length > 0) this.#lost("message_cleared");
      return [];
    }
    this.#sent.set(
      key,
      content.reduce((sent, block) => extended(sent, keyOf(block)), empty()),
    );
    const rest = restOf(content, before);
    if (rest !== undefined) return rest;
    this.#lost("message_replaced");
    return [...content];
  }
}

const empty = (): SentContent => ({ length: 0, hash: 0 });

/** The content of a block as text. The text of a message does not depend on how it is divided into blocks. */
function keyOf(block: v2.IncomingContentBlock): string {
  return block.type === "text" ? (block as v2.TextContentBlock).text : `\0${JSON.stringify(block)}`;
}

function extended({ length, hash }: SentContent, text: string): SentContent {
  return { length: length + text.length, hash: hashOf(text, hash) };
}

/** Returns the blocks behind the content that was sent, or `undefined` if the content does not begin with it. */
function restOf(
  content: readonly v2.IncomingContentBlock[],
  before: SentContent,
): v2.IncomingContentBlock[] | undefined {
  let sent = empty();
  for (const [index, block] of content.entries()) {
    if (sent.length === before.length) return sent.hash === before.hash ? content.slice(index) : undefined;
    const key = keyOf(block);
    const left = before.length - sent.length;
    if (left < key.length) {
      const isSame = block.type === "text" && hashOf(key.slice(0, left), sent.hash) === before.hash;
      return isSame
        ? [{ ...block, text: key.slice(left) } as v2.TextContentBlock, ...content.slice(index + 1)]
        : undefined;
    }
    sent = extended(sent, key);
  }
  return sent.length === before.length && sent.hash === before.hash ? [] : undefined;
}

/** Continues a polynomial hash of 48 bits with the UTF-16 units of a text. */
function hashOf(text: string, start: number): number {
  let high = Math.floor(start / 0x1000000);
  let low = start % 0x1000000;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index) + 1;
    high = (high * 31 + unit) % 0xfffffd;
    low = (low * 131 + unit) % 0xfffff1;
  }
  return high * 0x1000000 + low;
}
