/**
 * The text of an agent's messages, put together as it streams. Messages are kept apart by an empty line: a new one begins with another
 * `messageId`, and, for agents that give none, after whatever else happened in between.
 */
export class MessageText {
  #text = "";
  #messageId: string | undefined;
  #interrupted = false;

  /** All of it so far. */
  get text(): string {
    return this.#text;
  }

  /** Adds a chunk and returns what that adds to the text. */
  add(text: string, messageId: string | undefined): string {
    if (text === "") return "";
    const begins = messageId !== this.#messageId || (messageId === undefined && this.#interrupted);
    const added = (begins ? this.#gap() : "") + text;
    this.#messageId = messageId;
    this.#interrupted = false;
    this.#text += added;
    return added;
  }

  /** Something else happened: a thought, a tool call, a plan. */
  interrupt(): void {
    this.#interrupted = true;
  }

  #gap(): string {
    if (this.#text === "" || this.#text.endsWith("\n\n")) return "";
    return this.#text.endsWith("\n") ? "\n" : "\n\n";
  }
}
