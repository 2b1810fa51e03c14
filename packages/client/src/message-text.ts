import type { IncomingSessionUpdate } from "@acp-kit/types";

/**
 * Accumulates the text of an agent's messages from updates, with an empty line between two messages. A new message
 * begins when the `messageId` changes or, for agents that send no message ids, after a thought, a tool call or a plan.
 */
export class MessageText {
  #messageId: string | undefined;
  #interrupted = false;
  /** The last two characters of the text. */
  #ending = "";

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
    const text = content.type === "text" ? (content as { text: string }).text : "";
    if (text === "") return "";
    const messageId = id ?? undefined;
    const begins = messageId !== this.#messageId || (messageId === undefined && this.#interrupted);
    const added = begins ? this.#gap() + text : text;
    this.#messageId = messageId;
    this.#interrupted = false;
    this.#ending = (this.#ending + added).slice(-2);
    return added;
  }

  #gap(): string {
    if (this.#ending === "" || this.#ending === "\n\n") return "";
    return this.#ending.endsWith("\n") ? "\n" : "\n\n";
  }
}
