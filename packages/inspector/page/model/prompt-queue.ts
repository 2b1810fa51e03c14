import type { ContentBlock } from "@acp-kit/types";
import type { Conversation } from "./conversation.js";
import type { ServerLink } from "./server-link.js";
import { Signal } from "./signal.js";
import type { WireStore } from "./wire-store.js";

/** A prompt that waits until the running turn of its session has ended. */
export interface QueuedPrompt {
  readonly key: number;
  readonly sessionId: string;
  readonly blocks: readonly ContentBlock[];
}

/**
 * The prompts of the user. A prompt is sent when its session has no running turn, also while the page shows another
 * session, another tab, or the conversation at an earlier message.
 */
export class PromptQueue {
  readonly signal = new Signal();
  queued: readonly QueuedPrompt[] = [];
  readonly #store: WireStore;
  readonly #link: ServerLink;
  #lastKey = 0;
  /** How many prompts of a session the recording has with the sent one, until it has that one. */
  readonly #sent = new Map<string, number>();
  #conversation: Conversation;

  constructor(store: WireStore, link: ServerLink) {
    this.#store = store;
    this.#link = link;
    this.#conversation = store.conversation;
    store.signal.subscribe(() => this.#work());
    link.signal.subscribe(() => this.#work());
  }

  /** Sends a prompt, or queues it until the running turn has ended. */
  add(sessionId: string, blocks: readonly ContentBlock[]): void {
    this.#lastKey += 1;
    this.queued = [...this.queued, { key: this.#lastKey, sessionId, blocks }];
    this.#work();
    this.signal.changed();
  }

  remove(prompt: QueuedPrompt): void {
    this.queued = this.queued.filter((each) => each !== prompt);
    this.signal.changed();
  }

  #work(): void {
    const { conversation } = this.#store;
    if (this.#conversation !== conversation) {
      this.#conversation = conversation; // a new connection sends the recording again
      this.#sent.clear();
    }
    for (const sessionId of this.#sent.keys()) {
      // An agent that has ended received nothing
      if (conversation.sessions.get(sessionId)?.isClosed) this.#sent.delete(sessionId);
    }
    if (this.queued.length === 0 || !this.#link.canSend || !this.#link.isCaughtUp) return;
    for (const prompt of this.queued) {
      const { sessionId, blocks } = prompt;
      const session = conversation.sessions.get(sessionId);
      if (session === undefined || session.isClosed) continue;
      const { activity, sending } = session.snapshot;
      if (activity === "running" || sending !== undefined) continue;
      if (session.prompts < (this.#sent.get(sessionId) ?? 0)) continue;
      this.#sent.set(sessionId, session.prompts + 1);
      this.#link.request("session/prompt", { sessionId, prompt: blocks });
      this.remove(prompt);
    }
  }
}
