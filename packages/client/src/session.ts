// Our declarations name `Symbol.asyncDispose`. This reference adds its type to applications whose `lib` does not contain it.
/// <reference lib="esnext.disposable" preserve="true" />

import { checkOptions, isConnectionError } from "@acp-kit/protocol";
import type {
  ContentBlock,
  IncomingSessionConfigOption,
  IncomingSessionUpdate,
  SessionModeState,
} from "@acp-kit/types";
import type { UpdateListener } from "./connect-options.js";
import { isNotFound } from "./errors.js";
import { type PromptInput, promptBlocks } from "./prompt/prompt-content.js";
import { type PromptOptions, type PromptTurn, promptKinds } from "./prompt-turn.js";
import type { SessionControl } from "./session-control.js";
import type { SessionOptions } from "./sessions/session-options.js";
import { cannotSteer, type SteerOutcome, steer } from "./sessions/steer.js";
import type { Transcript } from "./transcript/transcript.js";
import { TurnControl } from "./turn-control.js";
import { UpdateQueue } from "./update-queue.js";

/** How the client opened a session on this connection. */
export type SessionOrigin = "new" | "loaded" | "resumed";

/**
 * A conversation with an agent: the client sends prompts, the agent sends updates.
 *
 * A session runs one turn at a time, and a prompt sent during a turn is queued. If the session has no listener, its
 * updates are buffered for the first listener.
 */
export class Session {
  readonly sessionId: string;
  readonly #control: SessionControl;

  /** @internal Created by the connection. */
  constructor(control: SessionControl) {
    this.sessionId = control.sessionId;
    this.#control = control;
  }

  /**
   * The absolute paths of the session's folders: its working directory, then the additional directories. The list is
   * empty after the session was closed.
   */
  get roots(): readonly string[] {
    return this.#control.roots;
  }

  /** How the session was opened: created, loaded with its history, or resumed without its history. */
  get origin(): SessionOrigin {
    return this.#control.origin;
  }

  /** The mode, the model and all other options of the session, as one list. */
  get options(): SessionOptions {
    return this.#control.settings;
  }

  /** The session's modes as the agent sent them; `undefined` if it has none. {@link options} includes the modes. */
  get modes(): SessionModeState | undefined {
    return this.#control.settings.state.modes;
  }

  /** The session's config options as the agent sent them; `undefined` if it has none. {@link options} includes the config options. */
  get configOptions(): readonly IncomingSessionConfigOption[] | undefined {
    return this.#control.settings.state.configOptions;
  }

  /**
   * The whole conversation, accumulated for a user interface; see {@link Transcript}.
   *
   * @throws {TypeError} when the client was connected with `transcript: false`.
   */
  get transcript(): Transcript {
    return this.#control.transcript.transcript;
  }

  /**
   * The activity of the session: `running` from the moment a prompt is sent until its response arrives, and while the
   * agent runs a turn that another client has started, as a gateway reports it; else `idle`. Updates outside turns don't
   * change the activity.
   */
  get activity(): "idle" | "running" {
    return this.#control.queue.current === undefined ? "idle" : "running";
  }

  /** The running turn of the session, or `undefined`. The turn can be one that this client did not start: see {@link PromptTurn.isJoined}. */
  get turn(): PromptTurn | undefined {
    return this.#control.queue.current?.turn;
  }

  /**
   * The turns of the session that are not settled, the running turn first. A user interface can show them as its list
   * of queued prompts. It is the same list until something changes.
   */
  get queue(): readonly PromptTurn[] {
    return this.#control.queue.turns.snapshot;
  }

  /** Calls `listener` after {@link queue} or the state of one of its turns has changed. The returned function removes the listener. */
  onQueueChange(listener: () => void): () => void {
    return this.#control.queue.turns.subscribe(listener);
  }

  /** Whether the application has closed or deleted the session. */
  get closed(): boolean {
    return this.#control.isClosed;
  }

  /**
   * Sends a prompt and returns its turn immediately. While another turn of the session runs, the prompt is queued
   * (`concurrentPrompts: "queue"`) or its result rejects (`"reject"`).
   */
  prompt(input: PromptInput, options: PromptOptions = {}): PromptTurn {
    const { peer, concurrentPrompts, limits } = this.#control.host;
    let blocks: ContentBlock[] = [];
    let problem: unknown;
    try {
      checkOptions("prompt", options, promptKinds);
      if (this.closed) throw new TypeError(`Session ${this.sessionId} is closed`);
      if (this.#control.queue.isBusy && concurrentPrompts === "reject")
        throw new TypeError(
          `A turn of session ${this.sessionId} is running, and concurrentPrompts is "reject": wait for its result, or cancel it`,
        );
      blocks = promptBlocks(peer, input, options.unsupportedBlocks);
    } catch (error) {
      problem = error;
    }
    const updates = new UpdateQueue<IncomingSessionUpdate>(this.#control.host.backlog, this.sessionId, limits);
    const control = new TurnControl(this, updates, { ...options, prompt: blocks }, this.#control.queue);
    if (problem !== undefined) control.reject(problem);
    else if (options.signal?.aborted) control.resolve({ stopReason: "cancelled" });
    else this.#control.queue.add(control);
    return control.turn;
  }

  /**
   * Cancels the running turn, also one that another client has started, and the queued prompts of this client. Without a
   * running turn, it does nothing.
   */
  cancel(): void {
    this.#control.queue.cancelAll();
  }

  /** Switches the session to one of its {@link modes}. @see https://agentclientprotocol.com/protocol/v1/session-modes */
  setMode(modeId: string): Promise<void> {
    return this.#control.whileAttached(() => this.#control.settings.setMode(modeId));
  }

  /** Sets one of the session's {@link configOptions}. Returns all config options, because setting one can change others. */
  setConfigOption(configId: string, value: string | boolean): Promise<readonly IncomingSessionConfigOption[]> {
    return this.#control.whileAttached(() => this.#control.settings.setConfigOption(configId, value));
  }

  /**
   * Sends a message to the agent during the running turn, if the agent supports steering. Resolves with `no_turn` if no
   * turn was running; the application can then send a prompt instead.
   *
   * @throws {CapabilityError} when the agent doesn't support steering, or doesn't accept a block of the message.
   */
  async steer(input: PromptInput): Promise<SteerOutcome> {
    if (!this.#control.host.canSteer) throw cannotSteer();
    const { peer } = this.#control.host;
    const blocks = promptBlocks(peer, input);
    return this.turn === undefined ? "no_turn" : steer(peer, this.sessionId, blocks);
  }

  /**
   * Adds a listener for the session's updates during and outside turns; it receives them one at a time, in the order in
   * which they arrived. If neither the session nor the connection had a listener before, the listener also receives the
   * buffered updates that belong to no prompt of this client. The returned function removes the listener.
   */
  onUpdate(listener: UpdateListener): () => void {
    return this.#control.updates.add(listener);
  }

  /**
   * Closes the session: cancels the turns of this client and sends `session/close`. If the agent can't close sessions,
   * the client only cancels the turns. `await using session = …` closes the session at the end of the block. A second call has no
   * effect.
   *
   * @throws {RpcError} when the agent responds with an error. An error that means that the agent doesn't know the
   * session is ignored.
   */
  async close(): Promise<void> {
    if (this.closed) return;
    this.#control.end();
    const closing = this.#close();
    this.#control.host.onClosing(this.sessionId, closing);
    await closing;
  }

  async #close(): Promise<void> {
    const { peer } = this.#control.host;
    try {
      const alive = peer.connection.state === "open";
      if (alive && peer.offers("agentCapabilities.sessionCapabilities.close")) {
        await peer.request("session/close", { sessionId: this.sessionId });
      }
    } catch (error) {
      if (!isNotFound(error)) throw error; // a session that the agent doesn't know needs no closing
    } finally {
      this.#control.host.forget(this.sessionId);
    }
  }

  /** Calls {@link close}, but does not throw if the connection has already ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.close();
    } catch (error) {
      if (!isConnectionError(error)) throw error;
    }
  }
}
