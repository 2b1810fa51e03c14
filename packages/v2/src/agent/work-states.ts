import type { BackgroundWork, StateUpdate } from "@acp-kit/types/v2";

/**
 * The states of a session.
 *
 * - `idle`: no foreground work.
 * - `running`: the agent works on prompts, or on its own.
 * - `requires_action`: the work waits for the user, and no other tool call of the work is in progress.
 *
 * @see https://agentclientprotocol.com/protocol/v2/prompt-lifecycle
 */
export type WorkState = "idle" | "running" | "requires_action";

/** A question of the work to the user that has no answer yet. */
interface Question {
  /** The tool call that the question is about. */
  readonly toolCallId: string | undefined;
}

/** The state of one session, and its reports. Every report has the complete list of the background work. */
export class WorkStates {
  readonly #report: (state: StateUpdate) => void;
  readonly #background: () => BackgroundWork[];
  readonly #questions = new Set<Question>();
  /** The tool calls of the work that are in progress. */
  readonly #inProgress = new Set<string>();
  #state: WorkState = "idle";

  constructor(report: (state: StateUpdate) => void, background: () => BackgroundWork[]) {
    this.#report = report;
    this.#background = background;
  }

  get isWorking(): boolean {
    return this.#state !== "idle";
  }

  /** Begins the work, unless it has begun. */
  begin(): void {
    if (this.#state === "idle") this.#enter("running");
  }

  /** Ends the work. `end` has the stop reason. */
  end(end: object): void {
    this.#questions.clear();
    this.#inProgress.clear();
    this.#state = "idle";
    this.#report({ ...end, state: "idle", background: this.#background() } as StateUpdate);
  }

  /** Reports the current state, because the client resumes the session, or because the background work has changed. */
  reportCurrent(): void {
    this.#report({ state: this.#state, background: this.#background() } as StateUpdate);
  }

  /** The status of a tool call of the work has changed. */
  toolCall(toolCallId: string, status: string): void {
    if (!this.isWorking) return;
    if (status === "in_progress") this.#inProgress.add(toolCallId);
    else this.#inProgress.delete(toolCallId);
    this.#update();
  }

  /** A tool call leaves the work: it is final, or continues in the background. */
  withoutToolCall(toolCallId: string): void {
    if (this.#inProgress.delete(toolCallId)) this.#update();
  }

  /** The work asks the user. Returns the function to call when the question has its answer. */
  ask(toolCallId: string | undefined): () => void {
    if (!this.isWorking) return () => {};
    const question = { toolCallId };
    this.#questions.add(question);
    this.#update();
    return () => {
      if (this.#questions.delete(question)) this.#update();
    };
  }

  #update(): void {
    if (!this.isWorking) return;
    const next = this.#questions.size > 0 && !this.#hasOtherCall() ? "requires_action" : "running";
    if (next !== this.#state) this.#enter(next);
  }

  /** Whether a tool call is in progress that no question is about. */
  #hasOtherCall(): boolean {
    const asked = new Set([...this.#questions].map(({ toolCallId }) => toolCallId));
    return [...this.#inProgress].some((id) => !asked.has(id));
  }

  #enter(state: WorkState): void {
    this.#state = state;
    this.reportCurrent();
  }
}
