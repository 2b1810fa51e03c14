import type { Holding } from "@acp-kit/jsonrpc/internal";
import type { Position } from "../engine/journal-page.js";
import type { SessionOpening } from "./command.js";

/** A prompt that the gateway has accepted. It is queued, or its turn runs. */
export interface QueuedPrompt {
  readonly key: string;
  readonly client: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly opening: SessionOpening;
  /** Its memory. The queue releases it. */
  readonly holding: Holding;
}

/**
 * The stage of a turn:
 *
 * - `waking`: the agent is starting.
 * - `starting`: the entry `turn_started` is being written. The agent has not received the prompt.
 * - `running`: the prompt was sent to the agent.
 */
export type TurnStage = "waking" | "starting" | "running";

/** The current turn of a session. */
export interface CurrentTurn {
  readonly prompt: QueuedPrompt;
  stage: TurnStage;
  /** The position of its `turn_started`; `undefined` while the agent is starting. */
  begun: Position | undefined;
  isCancelled: boolean;
  /** Stops the timer that ends the cancelled turn if the agent does not; `undefined` until the turn is cancelled. */
  stopGrace: (() => void) | undefined;
  readonly since: number;
}

/** The prompts of one session: the current turn, and the queued prompts in the order of their arrival. */
export class TurnQueue {
  #current: CurrentTurn | undefined;
  #queue: QueuedPrompt[] = [];

  get current(): CurrentTurn | undefined {
    return this.#current;
  }

  get length(): number {
    return this.#queue.length;
  }

  get isEmpty(): boolean {
    return this.#current === undefined && this.#queue.length === 0;
  }

  has(key: string): boolean {
    return this.#current?.prompt.key === key || this.#queue.some((prompt) => prompt.key === key);
  }

  add(prompt: QueuedPrompt): void {
    this.#queue.push(prompt);
  }

  /** Makes the next prompt the current turn. Returns `undefined` if there is a current turn or no queued prompt. */
  begin(now: number): CurrentTurn | undefined {
    if (this.#current !== undefined) return undefined;
    const prompt = this.#queue.shift();
    if (prompt === undefined) return undefined;
    this.#current = { prompt, stage: "waking", begun: undefined, isCancelled: false, stopGrace: undefined, since: now };
    return this.#current;
  }

  end(turn: CurrentTurn): void {
    if (this.#current !== turn) return;
    turn.stopGrace?.();
    turn.prompt.holding.release();
    this.#current = undefined;
  }

  /** Removes and returns the queued prompts of a client. */
  drop(client: string): QueuedPrompt[] {
    const dropped = this.#queue.filter((prompt) => prompt.client === client);
    this.#queue = this.#queue.filter((prompt) => prompt.client !== client);
    for (const { holding } of dropped) holding.release();
    return dropped;
  }

  /** Ends the current turn, and removes and returns all queued prompts. */
  clear(): QueuedPrompt[] {
    if (this.#current !== undefined) this.end(this.#current);
    for (const { holding } of this.#queue) holding.release();
    return this.#queue.splice(0);
  }
}
