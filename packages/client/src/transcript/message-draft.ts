import type { IncomingContentBlock } from "@acp-kit/types";
import { TextRope } from "./text-rope.js";
import type { MessageEntry } from "./transcript-entry.js";

/**
 * A message whose chunks are still arriving. The draft is changed in place. {@link MessageDraft.entry} returns the
 * message as an immutable entry.
 */
export class MessageDraft {
  #entry: MessageEntry;
  #blocks: IncomingContentBlock[] = [];
  /** The accumulated text of the last block, if the last block is plain text. */
  #rope: TextRope | undefined;
  /** The text of all blocks before `#rope`. */
  #textBefore = "";
  #changed = false;

  constructor(entry: MessageEntry) {
    this.#entry = entry;
    this.replace(entry.content);
    this.#changed = false;
  }

  /** Replaces the content. */
  replace(content: readonly IncomingContentBlock[]): void {
    this.#blocks = [...content];
    this.#rope = undefined;
    const last = this.#blocks.at(-1);
    if (last !== undefined && isPlainText(last)) {
      this.#blocks.pop();
      this.#rope = new TextRope(last.text);
    }
    this.#textBefore = joinedText(this.#blocks);
    this.#changed = true;
  }

  /**
   * Appends a chunk. Plain text is appended to the plain text before it; text with annotations or `_meta` becomes a
   * block of its own.
   */
  append(block: IncomingContentBlock): void {
    if (isPlainText(block)) {
      if (block.text === "") return;
      this.#rope ??= new TextRope();
      this.#rope.append(block.text);
    } else {
      this.#endText();
      this.#blocks.push(block);
      this.#textBefore += joinedText([block]);
    }
    this.#changed = true;
  }

  entry(): MessageEntry {
    if (!this.#changed) return this.#entry;
    const content = [...this.#blocks];
    let text = this.#textBefore;
    if (this.#rope !== undefined) {
      const tail = this.#rope.toString();
      content.push({ type: "text", text: tail });
      text = text === "" ? tail : text + tail;
    }
    this.#entry = { ...this.#entry, content, text };
    this.#changed = false;
    return this.#entry;
  }

  #endText(): void {
    if (this.#rope === undefined) return;
    const text = this.#rope.toString();
    this.#blocks.push({ type: "text", text });
    this.#textBefore += text;
    this.#rope = undefined;
  }
}

/** Returns whether a block is a text block without annotations or other members. */
export function isPlainText(block: IncomingContentBlock): block is { type: "text"; text: string } {
  if (block.type !== "text") return false;
  for (const key in block) {
    if (key !== "type" && key !== "text" && block[key as keyof typeof block] != null) return false;
  }
  return true;
}

/** Returns the joined text of all text blocks. */
export function joinedText(blocks: readonly IncomingContentBlock[]): string {
  let text = "";
  for (const block of blocks) if (block.type === "text") text += block.text;
  return text;
}
