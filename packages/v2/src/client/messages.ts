import type * as v2 from "@acp-kit/types/v2";
import { joinedText } from "../codec/content.js";
import { BoundedMap } from "../session/bounded-map.js";

/** The number of messages that are remembered, for each session. */
const MAX_MESSAGES = 10_000;

/**
 * Turns whole messages into chunks where that means the same, so that an application that reads chunks gets their text:
 * the first content of a message, and the text that a later content adds at the end.
 */
export class Messages {
  /** The text of a message that arrived as a whole; `undefined` for one that has chunks or other content. */
  readonly #texts = new BoundedMap<string, string | undefined>(MAX_MESSAGES);
  #latestKind = "";
  #latestId = "";

  /** Notes that a chunk of a message has arrived. */
  chunk(kind: string, messageId: string): void {
    // Most updates are chunks of one message. Comparing its id is faster than a key, which a newly parsed id has not
    // yet.
    if (messageId === this.#latestId && kind === this.#latestKind) return;
    this.#latestKind = kind;
    this.#latestId = messageId;
    this.#texts.set(keyOf(kind, messageId), undefined);
  }

  /** Returns the blocks that a whole message adds, or `undefined` if it replaces or clears content. */
  added(
    kind: string,
    messageId: string,
    content: readonly v2.IncomingContentBlock[] | null | undefined,
  ): readonly v2.IncomingContentBlock[] | undefined {
    const key = keyOf(kind, messageId);
    if (!content || content.length === 0) return undefined;
    const isKnown = this.#texts.has(key);
    const before = this.#texts.get(key);
    const isText = content.every(({ type }) => type === "text");
    const text = isText ? joinedText(content) : undefined;
    this.#texts.set(key, text);
    this.#latestKind = "";
    if (!isKnown) return content;
    if (before === undefined || text === undefined || !text.startsWith(before)) return undefined;
    return text === before ? [] : [{ type: "text", text: text.slice(before.length) }];
  }
}

/** The ids of the kinds of messages are independent. */
function keyOf(kind: string, messageId: string): string {
  return `${kind} ${messageId}`;
}
