import type { LiveTurn, SentPrompt, VersionPrompt } from "@acp-kit/client/internal";
import { RpcError } from "@acp-kit/protocol";
import { type Deferred, deferred } from "@acp-kit/protocol/internal";
import type { PromptResponse } from "@acp-kit/types";
import { ErrorCode, type IncomingContentBlock } from "@acp-kit/types/v2";
import { joinedText } from "../codec/content.js";
import { isObject, present } from "../codec/objects.js";
import type { WaitingPrompt, WorkEnd } from "../session/work-periods.js";

/** The events of a prompt. */
export interface PromptEvents {
  /** Called once, when the agent begins to work on the prompt or has added it to the conversation. */
  onBegun(prompt: OwnPrompt): void;
  /** Called once, when the end of the prompt has arrived. */
  onSettled(prompt: OwnPrompt): void;
}

/** A prompt of this client, from the request to the end of the work that contains it. */
export class OwnPrompt implements SentPrompt, WaitingPrompt {
  readonly text: string;
  /** The number of periods of work that had begun when the prompt was sent. */
  readonly sentAfter: number;
  /**
   * The id of the user message, and the number of its work, once the agent has added the prompt to the conversation.
   */
  inserted: { readonly messageId: string | undefined; readonly work: number } | undefined;
  isSettled = false;
  readonly turn: LiveTurn;
  readonly #request: VersionPrompt;
  readonly #withdrawal = new AbortController();
  readonly #response: Deferred<PromptResponse> = deferred();
  readonly #events: PromptEvents;

  constructor(turn: LiveTurn, request: VersionPrompt, sentAfter: number, events: PromptEvents) {
    this.turn = turn;
    this.#request = request;
    this.sentAfter = sentAfter;
    this.text = joinedText(request.params.prompt as readonly IncomingContentBlock[]);
    this.#events = events;
  }

  get response(): Promise<PromptResponse> {
    return this.#response.promise;
  }

  /** Aborts when the request for the prompt has to be cancelled. */
  get signal(): AbortSignal {
    return this.#withdrawal.signal;
  }

  withdraw(): void {
    this.turn.clock.startCancelTimeout();
    this.#withdrawal.abort(new DOMException("The prompt was withdrawn", "AbortError"));
  }

  /**
   * The agent has added the prompt to the conversation, or works on it. A later call corrects the first one.
   *
   * @param isCertain whether this is what the agent has said, and not derived from the order of its messages.
   */
  insert(messageId: string | undefined, work: number, isCertain: boolean): void {
    const isFirst = this.inserted === undefined;
    this.inserted = { messageId, work };
    if (isFirst) this.#events.onBegun(this);
    if (isCertain) this.turn.onInserted(messageId);
  }

  /** The work that contains the prompt has ended. */
  settle(end: WorkEnd): void {
    if (!this.#settled()) return;
    const outcome = outcomeOf(end);
    if ("error" in outcome) this.#response.reject(outcome.error);
    else this.#response.resolve(outcome.response);
  }

  /** The agent has refused the prompt, or the connection has ended. */
  reject(error: unknown): void {
    if (!this.#settled()) return;
    const isCancelled = error === this.signal.reason || (error as RpcError).code === ErrorCode.requestCancelled;
    if (isCancelled) this.#response.resolve({ stopReason: "cancelled" });
    else this.#response.reject(error);
  }

  #settled(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    this.#request.onSettled();
    this.#events.onSettled(this);
    return true;
  }
}

/** The response or the error with which work has ended, as in version 1. */
export function outcomeOf(end: WorkEnd): { readonly response: PromptResponse } | { readonly error: RpcError } {
  const { stopReason, _meta } = end;
  if (stopReason === "error") return { error: errorOf(end) };
  const { usage } = end as { usage?: unknown };
  const reason = typeof stopReason === "string" ? stopReason : "end_turn";
  return { response: { stopReason: reason, ...present({ usage, _meta }) } as PromptResponse };
}

/** The error of work that has ended with an error. */
function errorOf(end: WorkEnd): RpcError {
  const { error } = end as { error?: unknown };
  const { code, message, data } = isObject(error) ? error : {};
  if (Number.isInteger(code) && typeof message === "string") return new RpcError(code as number, message, { data });
  return new RpcError(ErrorCode.internalError, "The agent reported that the work has failed");
}
