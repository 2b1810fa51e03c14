import type { ContentBlock, SessionUpdate } from "@acp-kit/types";
import type { Sent } from "./session-channel.js";

/** A chunk of text: one that can be joined with the next of its message. */
export type TextChunk = Extract<SessionUpdate, { sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" }> & {
  content: Extract<ContentBlock, { type: "text" }>;
};

/** Text that waits a moment for more of the same message, so that many small pieces leave as one chunk. */
export class GrowingText {
  readonly #leave: (chunk: TextChunk) => Sent;
  #chunk: TextChunk | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The room that the last chunk is waiting for. */
  #room: Sent;

  constructor(leave: (chunk: TextChunk) => Sent) {
    this.#leave = leave;
  }

  /** Adds text, which leaves `ms` milliseconds after the first of its chunk, or when something else is sent. */
  add(chunk: TextChunk, ms: number): Sent {
    const growing = this.#chunk;
    if (growing?.sessionUpdate === chunk.sessionUpdate && growing.messageId === chunk.messageId) {
      growing.content.text += chunk.content.text;
    } else {
      this.flush();
      this.#chunk = { ...chunk, content: { ...chunk.content } };
      this.#timer = setTimeout(() => this.flush(), ms);
    }
    return this.#room;
  }

  /** What waits leaves now. */
  flush(): void {
    const chunk = this.#chunk;
    if (chunk === undefined) return;
    this.drop();
    const sent = this.#leave(chunk);
    this.#room = sent;
    const free = (): void => {
      if (this.#room === sent) this.#room = undefined;
    };
    sent?.then(free, free);
  }

  /** What waits is forgotten. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#chunk = undefined;
  }
}
