import { WholeCharacters } from "@acp-kit/protocol/internal";
import type { IncomingContentBlock, IncomingSessionUpdate } from "@acp-kit/types";

/**
 * Accumulates the text of an agent's messages from updates, with an empty line between two messages. A new message
 * begins when the `messageId` changes or, for agents that send no message ids, after a thought, a tool call or a plan.
 * The text of an embedded file is a paragraph of its own. If a chunk ends within a character, the half follows with the
 * next chunk.
 */
export class MessageText {
  #messageId: string | undefined;
  #interrupted = false;
  /** Whether the last chunk was not text, so that the next text begins another paragraph. */
  #isApart = false;
  /** The last two characters of the text. */
  #ending = "";
  readonly #characters = new WholeCharacters();

  /**
   * Returns the text that an update adds, or `""` if it adds none. If the update begins another message, an empty line
   * precedes the text.
   */
  add(update: IncomingSessionUpdate): string {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#add(update as Extract<IncomingSessionUpdate, { sessionUpdate: "agent_message_chunk" }>);
      case "agent_thought_chunk":
      case "tool_call":
      case "tool_call_update":
      case "plan":
        this.#interrupted = true;
    }
    return "";
  }

  /** Makes the next text begin a new message, after an event that is not an update, such as a permission request. */
  interrupt(): void {
    this.#interrupted = true;
  }

  #add({ content, messageId: id }: Extract<IncomingSessionUpdate, { sessionUpdate: "agent_message_chunk" }>): string {
    const isText = content.type === "text";
    const text = this.#characters.add(textIn(content));
    if (text === "") {
      if (!isText) this.#isApart = true;
      return "";
    }
    const messageId = id ?? undefined;
    const begins = messageId !== this.#messageId || (messageId === undefined && this.#interrupted);
    const added = begins || this.#isApart || !isText ? gapAfter(this.#ending) + text : text;
    this.#messageId = messageId;
    this.#interrupted = false;
    this.#isApart = !isText;
    this.#ending = (this.#ending + added).slice(-2);
    return added;
  }
}

/** Returns what completes an empty line after a text that ends with these two characters. */
export function gapAfter(ending: string): string {
  if (ending === "" || ending === "\n\n") return "";
  return ending.endsWith("\n") ? "\n" : "\n\n";
}

/** Returns the text of a text block or of an embedded file, `""` for other blocks. */
function textIn(content: IncomingContentBlock): string {
  const { text } = (content.type === "resource" ? content.resource : content) as { readonly text?: unknown };
  return typeof text === "string" ? text : "";
}
