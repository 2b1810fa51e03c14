import type { SessionOpening } from "./command.js";

/** A prompt that was accepted. */
export interface QueuedPrompt {
  readonly key: string;
  readonly client: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly opening: SessionOpening;
  /** Of its params as JSON. */
  readonly chars: number;
}

/**
 * The turn of a session:
 *
 * - `waking`: its agent is being started.
 * - `starting`: its `turn_started` entry is on its way to the engine; the agent has not received the prompt.
 * - `running`: the agent has the prompt.
 */
export type TurnStage = "waking" | "starting" | "running";

/** The turn that occupies a session. */
export interface CurrentTurn {
  readonly prompt: QueuedPrompt;
  stage: TurnStage;
  isCancelled: boolean;
  readonly since: number;
}

/** The prompts of one session: one turn at a time, the others in the order of their arrival. */
export class TurnQueue {
  #current: CurrentTurn | undefined;
  #queue: QueuedPrompt[] = [];

  get current(): CurrentTurn | undefined {
    return this.#current;
  }

  get length(): number {
    return this.#queue.length;
  }

  /** Characters of the prompts that wait. */
  get chars(): number {
    return this.#queue.reduce((sum, { chars }) => sum + chars, 0);
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

  /** Makes the next prompt the current turn; `undefined` while there is one, and if none waits. */
  begin(now: number): CurrentTurn | undefined {
    if (this.#current !== undefined) return undefined;
    const prompt = this.#queue.shift();
    if (prompt === undefined) return undefined;
    this.#current = { prompt, stage: "waking", isCancelled: false, since: now };
    return this.#current;
  }

  end(turn: CurrentTurn): void {
    if (this.#current === turn) this.#current = undefined;
  }

  /** Removes the queued prompts of a client, or all, and returns them. */
  drop(client?: string): QueuedPrompt[] {
    const dropped = this.#queue.filter((prompt) => client === undefined || prompt.client === client);
    this.#queue = this.#queue.filter((prompt) => !dropped.includes(prompt));
    return dropped;
  }
}
