import type { IncomingSessionUpdate } from "@acp-kit/types";

/**
 * Reads the text of the agent's messages from its updates, as they arrive. An empty line separates messages: a new one begins with another
 * `messageId`, and, for agents that send none, after a thought, a tool call or a plan.
 */
export class MessageText {
  #messageId: string | undefined;
  #interrupted = false;
  /** The last two characters of the text. */
  #ending = "";

  /** The text that an update adds, with the empty line before it where it begins another message; `""` when it adds none. */
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

  /** Separates the next message, after an event that is not an update, such as a permission request. */
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
