import { ConnectionError } from "@acp-kit/protocol";
import { type Deferred, deferred } from "@acp-kit/protocol/internal";
import type { ContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import { MessageText } from "../message-text.js";
import { isSessionFact } from "../transcript/session-facts.js";
import type { SentPrompt } from "./sent-prompt.js";
import type { InsertedPrompt, PromptOptions, PromptTurn, Session, TurnState } from "./session.js";
import { TurnClock } from "./turn-clock.js";
import { isHeld, type TurnPhase } from "./turn-phase.js";
import type { UpdateQueue } from "./update-queue.js";

/** The default time in milliseconds that an agent has to respond to a cancelled prompt. */
const CANCEL_TIMEOUT_MS = 30_000;

/** The objects and functions of the session that runs a turn. */
export interface TurnParts {
  readonly session: Session;
  readonly updates: UpdateQueue<IncomingSessionUpdate>;
  /** Whether a listener of the session is running. */
  readonly isHandling: () => boolean;
  /** Whether the connection reads nothing. */
  readonly isPaused: () => boolean;
  /** Whether the turn is behind another one. */
  readonly isBehind: (turn: Turn) => boolean;
  readonly cancel: (turn: Turn) => void;
  /** Creates a reader of the text of the updates. */
  readonly createText: () => FinalText;
}

/** Reads the text of a turn. */
export interface FinalText {
  /** Returns the text that an update adds. */
  add(update: IncomingSessionUpdate): string;
  /** Returns the text at the end of the turn, if it is not the joined text that was added. */
  final?(): string | undefined;
}

/** The implementation of {@link PromptTurn}, with the methods by which its session changes it. */
export class Turn implements PromptTurn {
  readonly session: Session;
  readonly prompt: readonly ContentBlock[];
  readonly meta: Record<string, unknown> | undefined;
  readonly isJoined: boolean;
  readonly result: Promise<PromptResponse>;
  readonly updates: UpdateQueue<IncomingSessionUpdate>;
  /** Started when the prompt is sent. */
  readonly clock: TurnClock;
  /** Changed only by the session's `Turns`. */
  phase: TurnPhase;
  /** The prompt in another version than 1, once it was sent. */
  sent: SentPrompt | undefined;
  /** Whether the transcript contains the prompt. */
  isLogged = false;
  /**
   * Whether the agent has begun to work on the prompt. Such a prompt is not sent again after a login, because the agent
   * would repeat its work.
   */
  hasBegun = false;
  readonly #parts: TurnParts;
  readonly #signal: AbortSignal | undefined;
  #settle: (result: PromptResponse | Promise<never>) => void = () => {};
  #isSettled = false;
  readonly #inserted: Deferred<InsertedPrompt> = deferred();
  #isInserted = false;

  /** `prompt` has the content blocks to send; it is `undefined` for a turn that this client did not start. */
  constructor(parts: TurnParts, prompt: readonly ContentBlock[] | undefined, options: PromptOptions = {}) {
    const { signal, meta, idleTimeoutMs = 0, cancelTimeoutMs = CANCEL_TIMEOUT_MS } = options;
    this.session = parts.session;
    this.isJoined = prompt === undefined;
    this.phase = this.isJoined ? "running" : "queued";
    this.prompt = prompt ?? [];
    this.meta = meta;
    this.updates = parts.updates;
    this.#parts = parts;
    this.#signal = signal;
    this.result = new Promise<PromptResponse>((resolve) => {
      this.#settle = resolve;
    });
    this.result.catch(() => {}); // no unhandled rejection if the application never reads the result
    this.clock = new TurnClock({
      idleTimeoutMs,
      cancelTimeoutMs,
      isHandling: parts.isHandling,
      isPaused: parts.isPaused,
      onIdle: () => {
        this.cancel();
        this.#giveUp(`the agent sent nothing for ${idleTimeoutMs} ms`);
      },
      onCancelTimeout: () =>
        this.#giveUp(`the turn was cancelled, but the agent did not respond within ${cancelTimeoutMs} ms`),
    });
    this.updates.onRead = () => this.clock.touch();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  // ── the turn of an application ─────────────────────────────────────────────────────────────────────────────────────

  get state(): TurnState {
    if (this.#isSettled) return "settled";
    if (this.sent !== undefined && isHeld(this.phase)) return "held";
    return this.#parts.isBehind(this) ? "queued" : "running";
  }

  get inserted(): Promise<InsertedPrompt> {
    return this.#inserted.promise;
  }

  async text(): Promise<string> {
    const message = this.#parts.createText();
    let text = "";
    for await (const update of this) text += message.add(update);
    await this.result;
    return message.final?.() ?? text;
  }

  get textStream(): AsyncGenerator<string, void, undefined> {
    return textOf(this);
  }

  [Symbol.asyncIterator](): AsyncGenerator<IncomingSessionUpdate, void, undefined> {
    return this.updates[Symbol.asyncIterator]();
  }

  cancel(): void {
    this.#parts.cancel(this);
  }

  remove(): boolean {
    if (this.state !== "queued") return false;
    this.cancel();
    return true;
  }

  // ── calls of the session ───────────────────────────────────────────────────────────────────────────────────────────

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Called when the agent has the prompt: in version 2, when the prompt is part of the conversation. */
  onInserted(messageId: string | undefined): void {
    this.#isInserted = true;
    this.#inserted.resolve({ messageId });
  }

  push(update: IncomingSessionUpdate, size: number): void {
    if (!isSessionFact(update) && update.sessionUpdate !== "user_message_chunk") this.hasBegun = true;
    this.updates.push(update, size);
    this.clock.touch();
  }

  /** Stops the idle timer, because the agent waits for a response. Returns a function that starts the timer again. */
  waitForResponse(): () => void {
    this.hasBegun = true;
    this.clock.hold();
    return () => this.clock.release();
  }

  /**
   * Ends the updates, when the response to the prompt has arrived. A reader gets the error of a failed turn after the
   * last update.
   */
  endUpdates(failure?: { readonly error: unknown }): void {
    this.updates.end(failure);
  }

  resolve(response: PromptResponse): void {
    this.#finish(response);
    this.endUpdates();
  }

  reject(error: unknown): void {
    this.#finish(Promise.reject(error));
    this.endUpdates({ error });
  }

  readonly #onAbort = (): void => this.cancel();

  #giveUp(reason: string): void {
    this.reject(new ConnectionError("timeout", `session/prompt: ${reason}`, { method: "session/prompt" }));
  }

  #finish(result: PromptResponse | Promise<never>): void {
    // No unhandled rejection if the application never reads the result
    if (result instanceof Promise) result.catch(() => {});
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (!this.#isInserted)
      this.#inserted.reject(new DOMException("The turn ended before the agent had its prompt", "AbortError"));
    this.clock.stop();
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#settle(result);
  }
}

async function* textOf(turn: PromptTurn): AsyncGenerator<string, void, undefined> {
  const message = new MessageText();
  for await (const update of turn) {
    const text = message.add(update);
    if (text !== "") yield text;
  }
}
