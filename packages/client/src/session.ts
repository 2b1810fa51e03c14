// An application that compiles without this library in `lib` gets it from our declarations, which name `Symbol.asyncDispose`.
/// <reference lib="esnext.disposable" preserve="true" />

import { isConnectionError } from "@acp-kit/protocol";
import type {
  ContentBlock,
  IncomingSessionConfigOption,
  IncomingSessionUpdate,
  SessionModeState,
} from "@acp-kit/types";
import type { UpdateListener } from "./connect-options.js";
import { isNotFound } from "./errors.js";
import { type PromptInput, promptBlocks } from "./prompt/prompt-content.js";
import type { PromptOptions, PromptTurn } from "./prompt-turn.js";
import type { SessionControl } from "./session-control.js";
import type { SessionOptions } from "./sessions/session-options.js";
import { cannotSteer, type SteerOutcome, steer } from "./sessions/steer.js";
import type { Readable } from "./transcript/readable.js";
import type { Transcript } from "./transcript/transcript.js";
import { TurnControl } from "./turn-control.js";
import { UpdateQueue } from "./update-queue.js";

/** How a session was opened on this connection. */
export type SessionOrigin = "new" | "loaded" | "resumed";

/**
 * A conversation with an agent: prompts in, updates out.
 *
 * One turn runs at a time; a prompt sent meanwhile is queued. Updates without a listener are buffered for the first one.
 */
export class Session {
  readonly sessionId: string;
  readonly #control: SessionControl;
  #closed = false;

  /** @internal Created by the connection. */
  constructor(control: SessionControl) {
    this.sessionId = control.sessionId;
    this.#control = control;
  }

  /** The absolute paths that the session was opened with: its working directory, then the additional ones. Empty once it is closed. */
  get roots(): readonly string[] {
    return this.#control.roots;
  }

  /** Whether it was created, loaded with its history, or resumed without. */
  get origin(): SessionOrigin {
    return this.#control.origin;
  }

  /** Its mode, model and all other options, as one list. */
  get options(): SessionOptions {
    return this.#control.settings;
  }

  /** The modes as the agent sent them; `undefined` if it has none. {@link options} includes them. */
  get modes(): SessionModeState | undefined {
    return this.#control.settings.state.modes;
  }

  /** The config options as the agent sent them; `undefined` if it has none. {@link options} includes them. */
  get configOptions(): readonly IncomingSessionConfigOption[] | undefined {
    return this.#control.settings.state.configOptions;
  }

  /**
   * The whole conversation as one value for a user interface; see {@link Transcript}.
   *
   * @throws {TypeError} when the client was connected with `transcript: false`.
   */
  get transcript(): Transcript {
    return this.#control.transcript.transcript;
  }

  /** `running` from the moment a prompt is sent until its response arrives. Updates outside turns, however late, don't change it. */
  get activity(): "idle" | "running" {
    return this.#control.queue.current === undefined ? "idle" : "running";
  }

  /** The running turn. */
  get turn(): PromptTurn | undefined {
    return this.#control.queue.current?.turn;
  }

  /** The turns that are not settled, the running one first; for a list of queued prompts. */
  get queue(): Readable<readonly PromptTurn[]> {
    return this.#control.queue.turns;
  }

  /** Whether it was closed here. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Sends a prompt and returns its turn at once. While another turn runs, the prompt is queued (`concurrentPrompts: "queue"`) or its result
   * rejects (`"reject"`).
   */
  prompt(input: PromptInput, options: PromptOptions = {}): PromptTurn {
    const { peer, concurrentPrompts, limits } = this.#control.host;
    let blocks: ContentBlock[] = [];
    let problem: unknown;
    try {
      if (this.#closed) throw new TypeError(`Session ${this.sessionId} is closed`);
      if (this.#control.queue.isBusy && concurrentPrompts === "reject")
        throw new TypeError(`A turn of session ${this.sessionId} is running`);
      blocks = promptBlocks(peer, input, options.unsupportedBlocks);
    } catch (error) {
      problem = error;
    }
    const updates = new UpdateQueue<IncomingSessionUpdate>(this.#control.host.backlog, this.sessionId, limits);
    const control = new TurnControl(this, blocks, updates, options, this.#control.queue);
    if (problem !== undefined) control.reject(problem);
    else if (options.signal?.aborted) control.resolve({ stopReason: "cancelled" });
    else this.#control.queue.add(control);
    return control.turn;
  }

  /** Cancels the running turn and the queued prompts. Does nothing without any. */
  cancel(): void {
    this.#control.queue.cancelAll();
  }

  /** Switches to one of {@link modes}. @see https://agentclientprotocol.com/protocol/v1/session-modes */
  setMode(modeId: string): Promise<void> {
    return this.#control.whileAttached(() => this.#control.settings.setMode(modeId));
  }

  /** Changes one of {@link configOptions} and returns them all: options may depend on each other. */
  setConfigOption(configId: string, value: string | boolean): Promise<readonly IncomingSessionConfigOption[]> {
    return this.#control.whileAttached(() => this.#control.settings.setConfigOption(configId, value));
  }

  /**
   * Sends a message into the running turn, if the agent supports it. `no_turn`: none was running, prompt instead.
   *
   * @throws {CapabilityError} when the agent doesn't support it, or doesn't accept a block of the message.
   */
  async steer(input: PromptInput): Promise<SteerOutcome> {
    if (!this.#control.host.canSteer) throw cannotSteer();
    const { peer } = this.#control.host;
    const blocks = promptBlocks(peer, input);
    return this.turn === undefined ? "no_turn" : steer(peer, this.sessionId, blocks);
  }

  /**
   * Adds a listener for the session's updates, in and outside turns, one at a time and in wire order. If there was no listener before, neither here
   * nor for the whole connection, it also receives the buffered updates from outside turns. Returns a function that removes it.
   */
  onUpdate(listener: UpdateListener): () => void {
    return this.#control.updates.add(listener);
  }

  /**
   * Ends the session: cancels its turn and sends `session/close`. An agent that can't close sessions only receives the
   * cancel. `await using session = …` calls it at the end of the block. Idempotent.
   *
   * @throws {RpcError} when the agent responds with an error other than that it doesn't know the session.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.cancel();
    this.#closed = true;
    const { peer } = this.#control.host;
    try {
      const alive = peer.connection.state === "open";
      if (alive && peer.offers("agentCapabilities.sessionCapabilities.close")) {
        await peer.request("session/close", { sessionId: this.sessionId });
      }
    } catch (error) {
      if (!isNotFound(error)) throw error; // a session that the agent doesn't know is closed
    } finally {
      this.#control.host.forget(this.sessionId);
    }
  }

  /** {@link close}, except that a connection which has ended is no error: the session ended with it. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.close();
    } catch (error) {
      if (!isConnectionError(error)) throw error;
    }
  }
}
