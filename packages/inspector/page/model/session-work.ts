import type { TranscriptEvent } from "@acp-kit/client";
import type { IncomingContentBlock, IncomingSessionUpdate } from "@acp-kit/types";
import type { IncomingSessionUpdate as V2Update } from "@acp-kit/types/v2";
import { decodeUpdateSessionNotification } from "@acp-kit/types/v2/decode";
import { BackgroundWork, joinedText, SessionReader } from "@acp-kit/v2/internal";
import { members, textOf } from "./members.js";
import { turnEnded } from "./turn-notice.js";

/** A prompt that the agent has not added to the conversation yet. */
interface SentPrompt {
  readonly prompt: readonly IncomingContentBlock[];
  /** The number of periods of work that had begun when the prompt was sent. */
  readonly sentAfter: number;
}

/**
 * The prompts and the work of a session of version 2, as events of its transcript. The response to a prompt only says
 * that the agent has added it to the conversation, and work ends with the state `idle`.
 */
export class SessionWork {
  readonly #apply: (event: TranscriptEvent) => void;
  readonly #reader = new SessionReader(new BackgroundWork());
  /** The prompts that wait, by the ids of their requests. */
  readonly #sending = new Map<string, SentPrompt>();
  /** The ids of the user messages that are prompts of the client. */
  readonly #inserted = new Set<string>();
  #running = 0;
  #isBusy = false;
  #begun = 0;
  #hasUserMessages = false;
  /** Whether the transcript has a turn for work without a prompt of the client. */
  #isAgentTurn = false;
  #isReplaying = false;

  constructor(apply: (event: TranscriptEvent) => void) {
    this.#apply = apply;
  }

  sent(requestId: string, prompt: readonly IncomingContentBlock[]): void {
    this.#sending.set(requestId, { prompt, sentAfter: this.#begun });
    this.#sendingChanged();
  }

  /** Handles the response to a prompt. */
  responded(requestId: string, result: unknown, error: unknown): void {
    const sent = this.#sending.get(requestId);
    if (sent === undefined) return; // its user message has arrived before
    const messageId = textOf(result, "messageId");
    if (error !== undefined) {
      this.#sending.delete(requestId);
      this.#sendingChanged();
      return;
    }
    this.#insert(requestId, messageId);
    // An agent without user messages can respond after the end of the work
    if (!this.#hasUserMessages && !this.#isBusy && this.#begun > sent.sentAfter) this.#end(undefined);
  }

  /** Applies the params of `session/update`. */
  update(params: unknown): void {
    const { update } = decodeUpdateSessionNotification(params);
    if (update.sessionUpdate === "state_update") this.#state(update);
    else if (update.sessionUpdate === "user_message") this.#userMessage(update);
    else if (this.#isBusy && update.sessionUpdate !== "user_message_chunk") this.#output();
    if (update.sessionUpdate === "state_update") return;
    this.#reader.read(update, undefined, (converted) => this.#apply({ type: "update", update: converted }));
  }

  /** The client resumes the session with its history. */
  replayBegan(): void {
    this.#isReplaying = true;
    this.#apply({ type: "replay_began" });
  }

  /** The response that has opened the session. A busy agent goes on with the last turn of the history. */
  opened(failed: boolean): void {
    if (!this.#isReplaying) return;
    this.#isReplaying = false;
    const running = this.#isBusy && this.#running === 0;
    this.#isAgentTurn = running;
    this.#apply({ type: "replay_ended", failed, ...(running && { running }) });
  }

  /** The agent has ended. */
  lost(): void {
    this.#sending.clear();
    this.#sendingChanged();
    this.#isBusy = false;
    this.#isReplaying = false;
    this.#running = 0;
    this.#isAgentTurn = false;
  }

  #state(update: V2Update): void {
    const wasBusy = this.#isBusy;
    this.#isBusy = textOf(update, "state") !== "idle";
    if (this.#isBusy && !wasBusy) this.#begun += 1;
    this.#apply({ type: "update", update: update as IncomingSessionUpdate });
    if (wasBusy && !this.#isBusy) this.#end(update);
  }

  #end(state: V2Update | undefined): void {
    const { stopReason, error } = members(state);
    const failure = stopReason === "error" ? (error ?? { code: -32_603, message: "The work has failed" }) : undefined;
    const end = turnEnded({ stopReason: "end_turn", ...state }, failure);
    for (; this.#running > 0; this.#running -= 1) this.#apply(end);
    if (this.#isAgentTurn) this.#apply({ ...end, joined: true });
    this.#isAgentTurn = false;
  }

  /** A user message with the text of a prompt is this prompt. Agents may add text to the only such prompt. */
  #userMessage(update: V2Update): void {
    this.#hasUserMessages = true;
    const { messageId, content } = update as { messageId: string; content?: unknown };
    if (this.#inserted.has(messageId) || this.#isReplaying) return;
    const text = joinedText(Array.isArray(content) ? content : []);
    const texts = [...this.#sending].map(([id, { prompt }]) => [id, joinedText(prompt as never)] as const);
    const equal = texts.find(([, sent]) => sent === text);
    const extended = texts.length === 1 ? texts.find(([, sent]) => sent !== "" && text.includes(sent)) : undefined;
    const [requestId] = equal ?? extended ?? [];
    if (requestId !== undefined) this.#insert(requestId, messageId);
  }

  #insert(requestId: string, messageId: string | undefined): void {
    const prompt = this.#sending.get(requestId)?.prompt ?? [];
    this.#sending.delete(requestId);
    this.#sendingChanged();
    if (messageId !== undefined) this.#inserted.add(messageId);
    this.#running += 1;
    this.#apply({ type: "prompt_sent", prompt, ...(messageId !== undefined && { messageId }) });
  }

  /** Work without a prompt of the client gets a turn of its own. */
  #output(): void {
    if (this.#isAgentTurn || this.#running > 0 || this.#isReplaying) return;
    this.#isAgentTurn = true;
    this.#apply({ type: "turn_joined", origin: "agent" });
  }

  #sendingChanged(): void {
    this.#apply({ type: "prompts_sending", prompts: [...this.#sending.values()].map(({ prompt }) => prompt) });
  }
}
