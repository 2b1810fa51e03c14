import { JsonRpcErrorCode } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import { after } from "@acp-kit/protocol/internal";
import type * as v2 from "@acp-kit/types/v2";
import { isObject } from "../codec/objects.js";
import { BoundedMap } from "./bounded-map.js";

/** The end of a period of work: the `idle` state that ended it. */
export type WorkEnd = v2.IncomingIdleStateUpdate;

/** A prompt that waits for the end of the work that contains it. */
export interface WaitingPrompt {
  /** Settles the prompt. It is called once. */
  settle(end: WorkEnd): void;
  /** Called if its work is another one than {@link WorkPeriods.inserted} has returned. */
  moved?(work: number): void;
}

/**
 * What agents do differently from the specification. `no-running`: the agent reports the end of work, but not its
 * beginning. `no-message-id`: the response to a prompt has no id. `late-response`: the response comes after the end of
 * the work, and the agent reports no user messages.
 */
export type WorkDeviation = "no-running" | "no-message-id" | "late-response";

interface Prompt extends WaitingPrompt {
  /** The number of periods that had begun when the prompt was sent. */
  readonly sentAfter: number;
  /** The period that contains the prompt, once the agent has inserted it into the conversation. */
  work?: number;
}

/**
 * How long the client waits for the user message after a response outside work, in milliseconds, before it concludes
 * that the agent reports none.
 */
const LATE_RESPONSE_MS = 100;

/** The number of user messages and ended periods that are remembered. */
const REMEMBERED = 64;

/**
 * Finds the end of each prompt of one session. The response to `session/prompt` only says that the agent has inserted
 * the prompt; the end is the next `idle` state of the work that contains it. Response, user message and states arrive
 * in any order, so the work is found by the id of the user message.
 *
 * @see https://agentclientprotocol.com/protocol/v2/prompt-lifecycle
 */
export class WorkPeriods {
  #isBusy = false;
  #begun = 0;
  #hasUserMessages = false;
  readonly #workOf = new BoundedMap<string, number>(REMEMBERED);
  readonly #ends = new BoundedMap<number, WorkEnd>(REMEMBERED);
  readonly #prompts = new Set<Prompt>();
  /** The prompts whose response may have come after the end of their work. */
  readonly #late = new Set<Prompt>();
  readonly #deviates: (deviation: WorkDeviation) => void;

  /** @param deviates receives what the agent does differently from the specification, each time. */
  constructor(deviates: (deviation: WorkDeviation) => void = () => {}) {
    this.#deviates = deviates;
  }

  /** Whether the agent works. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The number of periods that have begun. */
  get begun(): number {
    return this.#begun;
  }

  /** The number of the current period, or outside work of the next one. */
  get current(): number {
    return this.#isBusy ? this.#begun : this.#begun + 1;
  }

  /** Whether the agent has reported a user message. */
  get hasUserMessages(): boolean {
    return this.#hasUserMessages;
  }

  /** Registers a prompt that was sent to the agent. */
  sent(prompt: WaitingPrompt): WaitingPrompt {
    const entry: Prompt = { ...prompt, sentAfter: this.#begun };
    this.#prompts.add(entry);
    return entry;
  }

  /** The agent has rejected the prompt: it ends no work. */
  rejected(prompt: WaitingPrompt): void {
    this.#prompts.delete(prompt as Prompt);
    this.#late.delete(prompt as Prompt);
  }

  /** The agent has reported a user message. Outside work, it belongs to the work that begins next. */
  userMessage(messageId: string): void {
    this.#hasUserMessages = true;
    if (!this.#workOf.has(messageId)) this.#workOf.set(messageId, this.current);
    for (const prompt of this.#late) {
      prompt.work = this.current;
      prompt.moved?.(prompt.work);
    }
    this.#late.clear();
  }

  /**
   * The agent has inserted the prompt. Settles it at once if its work has ended before. Returns the number of its work.
   *
   * @param messageId the id of its user message; drafts of version 2 have none in the response.
   */
  inserted(prompt: WaitingPrompt, messageId: string | undefined): number {
    const entry = prompt as Prompt;
    if (!this.#prompts.has(entry)) return entry.work ?? 0;
    if (messageId === undefined) this.#deviates("no-message-id");
    const reported = messageId === undefined ? undefined : this.#workOf.get(messageId);
    entry.work = reported ?? this.current;
    if (reported === undefined && this.#isLate(entry)) this.#waitForUserMessage(entry);
    const end = this.#ends.get(entry.work);
    if (end !== undefined && !this.#late.has(entry)) this.#settle(entry, end);
    return entry.work;
  }

  /** A state of the agent. A repeated state begins and ends nothing; an unknown state counts as work. */
  state(update: v2.IncomingStateUpdate): void {
    if (update.state !== "idle") {
      if (!this.#isBusy) this.#begun += 1;
      this.#isBusy = true;
      return;
    }
    const end = update as WorkEnd;
    if (!this.#isBusy) {
      // An agent that never reports work ends it with a stop reason. Without one, this is only the current state.
      const ended = this.#begun === 0 && end.stopReason ? [...this.#prompts].filter(({ work }) => work === 1) : [];
      if (ended.length > 0) this.#deviates("no-running");
      for (const prompt of ended) this.#settle(prompt, end);
      return;
    }
    this.#isBusy = false;
    this.#ends.set(this.#begun, end);
    for (const prompt of this.#prompts) if (prompt.work === this.#begun) this.#settle(prompt, end);
  }

  /** The prompts that are not settled. */
  get waiting(): readonly WaitingPrompt[] {
    return [...this.#prompts];
  }

  /**
   * Ends inserted prompts whose work has not begun. The agent has no reason to begin it after a cancellation.
   *
   * @param cancelled the prompts that were cancelled; by default, all.
   */
  cancelWaiting(cancelled: readonly WaitingPrompt[] = this.waiting): void {
    if (this.#isBusy) return;
    for (const prompt of this.#prompts)
      if (prompt.work !== undefined && cancelled.includes(prompt)) this.#settle(prompt, { stopReason: "cancelled" });
  }

  /**
   * Some agents report no user messages and respond only after the end. Then the prompt belongs to the last period, if
   * it has begun after the prompt was sent. Before its first user message, an agent that has worked by itself and then
   * inserts the prompt is not different, so its user message has to follow within {@link LATE_RESPONSE_MS}.
   */
  #isLate({ sentAfter }: Prompt): boolean {
    return !this.#hasUserMessages && !this.#isBusy && this.#begun > sentAfter;
  }

  #waitForUserMessage(prompt: Prompt): void {
    prompt.work = this.#begun;
    const end = this.#ends.get(prompt.work);
    this.#late.add(prompt);
    after(LATE_RESPONSE_MS, () => {
      if (!this.#late.delete(prompt) || end === undefined) return;
      this.#deviates("late-response");
      this.#settle(prompt, end);
    });
  }

  #settle(prompt: Prompt, end: WorkEnd): void {
    this.#prompts.delete(prompt);
    this.#late.delete(prompt);
    prompt.settle(end);
  }
}

/** The error response for work that has ended with an error. */
export function workError(end: WorkEnd): ErrorObject {
  const { error } = end as { error?: unknown };
  if (isObject(error) && Number.isInteger(error.code) && typeof error.message === "string")
    return error as unknown as ErrorObject;
  return { code: JsonRpcErrorCode.internalError, message: "The agent reported that the work has failed" };
}
