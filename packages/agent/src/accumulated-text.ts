import { after } from "@acp-kit/protocol/internal";
import type { ContentBlock, SessionUpdate } from "@acp-kit/types";
import type { Sent } from "./sent.js";

/** A chunk of text, which can be joined with the next chunk of the same message. */
export type TextChunk = Extract<SessionUpdate, { sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" }> & {
  content: Extract<ContentBlock, { type: "text" }>;
};

/** Accumulates the text of one message for a short time, so that many small pieces are sent as one chunk. */
export class AccumulatedText {
  readonly #send: (chunk: TextChunk) => Sent;
  #chunk: TextChunk | undefined;
  #stopTimer: (() => void) | undefined;
  /** The result of sending the last chunk: a promise while the client reads slowly. */
  #room: Sent;

  constructor(send: (chunk: TextChunk) => Sent) {
    this.#send = send;
  }

  /**
   * Adds text. The accumulated chunk is sent `ms` milliseconds after its first text, or earlier, before any other
   * update.
   */
  add(chunk: TextChunk, ms: number): Sent {
    const current = this.#chunk;
    if (current?.sessionUpdate === chunk.sessionUpdate && current.messageId === chunk.messageId) {
      current.content.text += chunk.content.text;
    } else {
      this.flush();
      this.#chunk = { ...chunk, content: { ...chunk.content } };
      this.#stopTimer = after(ms, () => this.flush(), { keepAlive: true });
    }
    return this.#room;
  }

  /** Sends the accumulated text now. */
  flush(): void {
    const chunk = this.#chunk;
    if (chunk === undefined) return;
    this.drop();
    const sent = this.#send(chunk);
    this.#room = sent;
    const clear = (): void => {
      if (this.#room === sent) this.#room = undefined;
    };
    sent?.then(clear, clear);
  }

  /** Discards the accumulated text. */
  drop(): void {
    this.#stopTimer?.();
    this.#chunk = undefined;
  }
}
