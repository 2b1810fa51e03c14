import type * as v2 from "@acp-kit/types/v2";
import { textOf } from "../codec/content.js";
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
  #latest = "";

  /** Notes that a chunk of a message has arrived. */
  chunk(kind: string, messageId: string): void {
    // Most updates are chunks of one message. The ids of the kinds of messages are independent.
    const key = `${kind} ${messageId}`;
    if (key === this.#latest) return;
    this.#latest = key;
    this.#texts.set(key, undefined);
  }

  /** Returns the blocks that a whole message adds, or `undefined` if it replaces or clears content. */
  added(
    kind: string,
    messageId: string,
    content: readonly v2.IncomingContentBlock[] | null | undefined,
  ): readonly v2.IncomingContentBlock[] | undefined {
    const key = `${kind} ${messageId}`;
    if (!content || content.length === 0) return undefined;
    const isKnown = this.#texts.has(key);
    const before = this.#texts.get(key);
    const isText = content.every(({ type }) => type === "text");
    const text = isText ? textOf(content) : undefined;
    this.#texts.set(key, text);
    this.#latest = "";
    if (!isKnown) return content;
    if (before === undefined || text === undefined || !text.startsWith(before)) return undefined;
    return text === before ? [] : [{ type: "text", text: text.slice(before.length) }];
  }
}
