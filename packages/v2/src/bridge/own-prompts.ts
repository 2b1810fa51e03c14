import type { RequestId } from "@acp-kit/jsonrpc";
import type { IncomingContentBlock } from "@acp-kit/types/v2";
import { joinedText } from "../codec/content.js";
import { BoundedMap } from "../session/bounded-map.js";
import type { Relayed } from "./one-way.js";

/** A prompt of the client that has no response yet. */
export interface OwnPrompt {
  readonly request: Relayed;
  readonly text: string;
  /** The id of the request that the agent got. */
  agentRequest?: RequestId;
  /** The id of its user message, as soon as it is known. */
  messageId?: string;
  /** Whether the client has cancelled the session before the agent inserted the prompt. */
  isCancelled?: boolean;
}

/**
 * The prompts of the client in one session. A client of version 1 shows its own prompts, so it must not get the user
 * messages by which an agent of version 2 reports them.
 */
export class OwnPrompts {
  readonly #waiting = new Set<OwnPrompt>();
  /** The ids of user messages that are prompts of this client. */
  readonly #ids = new BoundedMap<string, true>(64);

  add(prompt: OwnPrompt): void {
    this.#waiting.add(prompt);
  }

  delete(prompt: OwnPrompt): void {
    this.#waiting.delete(prompt);
  }

  /** The client has cancelled the session, and with it all prompts that it has sent. */
  cancelled(): void {
    for (const prompt of this.#waiting) if (prompt.messageId === undefined) prompt.isCancelled = true;
  }

  withRequest(id: RequestId): OwnPrompt | undefined {
    return [...this.#waiting].find(({ request }) => request.id === id);
  }

  /** The response to the prompt has named its user message. */
  inserted(prompt: OwnPrompt, messageId: string): void {
    prompt.messageId = messageId;
    this.#ids.set(messageId, true);
  }

  /**
   * Returns whether a user message is a prompt of this client. Before the response, equal text decides.
   *
   * @param isChunk whether the content is only the beginning of the message.
   */
  owns(messageId: string, content: readonly IncomingContentBlock[], isChunk: boolean): boolean {
    if (this.#ids.has(messageId)) return true;
    const text = joinedText(content);
    for (const prompt of this.#waiting) {
      if (prompt.messageId !== undefined) continue;
      if (isChunk ? text === "" || !prompt.text.startsWith(text) : prompt.text !== text) continue;
      this.inserted(prompt, messageId);
      return true;
    }
    return false;
  }
}
