import { isRpcError } from "@acp-kit/protocol";
import type {
  IncomingSessionConfigOption,
  IncomingSessionUpdate,
  IncomingToolCallUpdate,
  PromptResponse,
  SessionModeState,
} from "@acp-kit/schema";
import type { ClientPeer } from "./client-peer.js";
import type { UpdateListener } from "./connect-options.js";
import { isNotFound } from "./errors.js";
import type { ClientLimits } from "./limits.js";
import { AnnouncedCalls } from "./permissions/announced-calls.js";
import { type PromptInput, promptBlocks } from "./prompt/prompt-content.js";
import { type Heard, SessionUpdates } from "./session-updates.js";
import { SessionTranscript, type TranscriptSetting } from "./transcript/session-transcript.js";
import type { Transcript } from "./transcript/transcript.js";
import type { TranscriptEvent } from "./transcript/transcript-event.js";
import { type PromptOptions, Turn, type TurnControl } from "./turn.js";
import { type QueueBacklog, UpdateQueue } from "./update-queue.js";

/** How a session came to be on this connection. */
export type SessionOrigin = "new" | "loaded" | "resumed";

/** What the connection keeps of a session beside its handle. */
export interface SessionHost {
  /** The connection of the moment. */
  readonly peer: ClientPeer;
  /** The backlog of the connection of the moment. */
  readonly backlog: QueueBacklog;
  readonly onUpdate: UpdateListener | undefined;
  readonly concurrentPrompts: "queue" | "reject";
  readonly transcript: TranscriptSetting;
  readonly limits: Required<Pick<ClientLimits, "maxEarlyUpdates" | "maxUnheardUpdates" | "maxUnreadUpdates">>;
  /** Nothing when the session is open over the connection of the moment, else a promise that it will be. */
  attach(sessionId: string): Promise<void> | undefined;
  /** The session's turn is being cancelled: its open permission requests are to be answered. */
  cancelled(sessionId: string): void;
  /** Its turn has ended: nothing of it has to be decided any more. */
  turnEnded(sessionId: string): void;
  forget(sessionId: string): void;
  roots(sessionId: string): readonly string[];
}

/** How the connection delivers to a session. Kept apart from {@link Session}, so that applications can't. */
export interface SessionControl {
  readonly session: Session;
  readonly cancelling: () => boolean;
  /** What was told of a tool call that is not done. */
  readonly announced: (toolCallId: string) => IncomingToolCallUpdate | undefined;
  /** The agent waits for an answer of ours from here until the returned function is called. */
  readonly awaited: () => () => void;
  /** Something happened that the transcript should know, beside updates and turns. */
  readonly told: (event: TranscriptEvent) => void;
  deliver(update: IncomingSessionUpdate, size: number): void | PromiseLike<void>;
  /** What came before the session was known. It is told before anything else, by {@link catchUp} or to the first listener. */
  keepEarly(updates: readonly IncomingSessionUpdate[]): void;
  /** Tells what was kept where the connection itself listens; its own listeners are there by now. */
  catchUp(): void;
  /** What comes is history, told again: to the listeners, or, when they know it already, to nobody. */
  replaying(to: "listeners" | "nobody" | undefined): void;
  opened(origin: SessionOrigin, state: SessionState): void;
}

/** What new, load and resume answer about a session. */
export interface SessionState {
  readonly modes?: SessionModeState | null;
  readonly configOptions?: readonly IncomingSessionConfigOption[] | null;
}

/**
 * A conversation with an agent: prompts in, updates out.
 *
 * One turn runs at a time; a prompt sent meanwhile waits for it. Updates that come while nobody listens are kept for the first listener.
 */
export class Session {
  readonly sessionId: string;
  readonly #host: SessionHost;
  readonly #updates: SessionUpdates;
  readonly #calls = new AnnouncedCalls();
  readonly #transcript: SessionTranscript;
  readonly #waiting: { control: TurnControl; send: () => void }[] = [];
  /** The turn whose updates come now: from the moment it is sent until its answer arrives. */
  #current: TurnControl | undefined;
  /** A turn runs, or its listeners still finish. */
  #playing = false;
  #cancelling = false;
  #replaying: "listeners" | "nobody" | undefined;
  /** A turn that waits for its session to be opened again. */
  #attaching: TurnControl | undefined;
  #closed = false;
  #origin: SessionOrigin = "new";
  #modes: SessionModeState | undefined;
  #configOptions: readonly IncomingSessionConfigOption[] | undefined;

  private constructor(host: SessionHost, sessionId: string) {
    this.#host = host;
    this.sessionId = sessionId;
    const { maxUnheardUpdates } = host.limits;
    this.#updates = new SessionUpdates(host.onUpdate, maxUnheardUpdates, (code, message, cause) =>
      host.peer.report({ code, message, cause }),
    );
    this.#transcript = new SessionTranscript(host.transcript, (cause) => {
      const message = `A subscriber of the transcript of session ${sessionId} failed`;
      host.peer.report({ code: "handler_failed", message, cause });
    });
  }

  /** The absolute paths that it was opened with: its working directory, then the additional ones. Empty once it is closed. */
  get roots(): readonly string[] {
    return this.#host.roots(this.sessionId);
  }

  /** Whether it was created, loaded with its history, or resumed without. */
  get origin(): SessionOrigin {
    return this.#origin;
  }

  /** The modes the agent offers and the one it is in; `undefined` when it has none. */
  get modes(): SessionModeState | undefined {
    return this.#modes;
  }

  /** The options the agent offers, with their values; `undefined` when it has none. */
  get configOptions(): readonly IncomingSessionConfigOption[] | undefined {
    return this.#configOptions;
  }

  /**
   * Everything that was said and done, joined to one value that can be drawn; see {@link Transcript}.
   *
   * @throws {TypeError} when the client was connected with `transcript: false`.
   */
  get transcript(): Transcript {
    return this.#transcript.transcript;
  }

  /** `running` from the moment a prompt is sent until its answer arrives. Updates outside of turns, however late, don't change it. */
  get activity(): "idle" | "running" {
    return this.#current === undefined ? "idle" : "running";
  }

  /** The turn that runs now. */
  get turn(): Turn | undefined {
    return this.#current?.turn;
  }

  /** It was closed here: nothing can be sent any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Sends a prompt and returns its turn at once. While another turn runs it waits (`concurrentPrompts: "queue"`) or its result
   * rejects (`"reject"`).
   */
  prompt(input: PromptInput, options: PromptOptions = {}): Turn {
    const { peer } = this.#host;
    const { maxUnreadUpdates } = this.#host.limits;
    const queue = new UpdateQueue<IncomingSessionUpdate>(this.#host.backlog, this.sessionId, maxUnreadUpdates);
    const control = Turn.open(this, queue, options, (cancelled) => this.#cancel(cancelled));
    try {
      if (this.#closed) throw new TypeError(`Session ${this.sessionId} is closed`);
      if (this.#playing && this.#host.concurrentPrompts === "reject") {
        throw new TypeError(`A turn of session ${this.sessionId} is running`);
      }
      const prompt = promptBlocks(peer, input, options.unsupportedBlocks);
      const send = (): void => void this.#play(control, prompt, options);
      if (options.signal?.aborted) control.resolve({ stopReason: "cancelled" });
      else if (!this.#playing) send();
      else this.#waiting.push({ control, send });
    } catch (error) {
      control.reject(error);
    }
    return control.turn;
  }

  /** Cancels the running turn and the prompts that wait. Without any, nothing happens. */
  cancel(): void {
    for (const { control } of this.#waiting.splice(0)) control.resolve({ stopReason: "cancelled" });
    const running = this.#current ?? this.#attaching;
    if (running !== undefined) this.#cancel(running);
  }

  /** Switches to one of {@link modes}. @see https://agentclientprotocol.com/protocol/v1/session-modes */
  async setMode(modeId: string): Promise<void> {
    await this.#host.attach(this.sessionId);
    await this.#host.peer.request("session/set_mode", { sessionId: this.sessionId, modeId });
    this.#note({ sessionUpdate: "current_mode_update", currentModeId: modeId });
  }

  /** Changes one of {@link configOptions} and returns them all: options may depend on each other. */
  async setConfigOption(configId: string, value: string | boolean): Promise<readonly IncomingSessionConfigOption[]> {
    const { sessionId } = this;
    const params =
      typeof value === "boolean"
        ? { sessionId, configId, type: "boolean" as const, value }
        : { sessionId, configId, value };
    await this.#host.attach(sessionId);
    const { configOptions } = await this.#host.peer.request("session/set_config_option", params);
    this.#note({ sessionUpdate: "config_option_update", configOptions });
    return configOptions;
  }

  /**
   * Hears the session's updates, in and outside of turns, one at a time and in wire order. Where nobody listened before, neither here
   * nor to the whole connection, the first listener also gets what came outside of turns until now. Returns how to stop.
   */
  onUpdate(listener: UpdateListener): () => void {
    return this.#updates.add(listener);
  }

  /**
   * Ends the session: its turn is cancelled and the agent frees what it holds. An agent that can't close sessions is only told to cancel.
   * Idempotent.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.cancel();
    this.#closed = true;
    const { peer } = this.#host;
    try {
      const alive = peer.connection.state === "open";
      if (alive && peer.offers("agentCapabilities.sessionCapabilities.close")) {
        await peer.request("session/close", { sessionId: this.sessionId });
      }
    } catch (error) {
      if (!isNotFound(error)) throw error; // gone is closed
    } finally {
      this.#host.forget(this.sessionId);
    }
  }

  // ── turns ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  async #play(control: TurnControl, prompt: ReturnType<typeof promptBlocks>, { meta }: PromptOptions): Promise<void> {
    this.#playing = true;
    const abandon = new AbortController();
    // What comes behind the answer is no update of the turn, even when it comes in the same chunk.
    const onSettled = (): void => {
      this.#attaching = undefined;
      this.#current = undefined;
      this.#cancelling = false;
      control.ended();
      this.#transcript.turnSettled();
      this.#host.turnEnded(this.sessionId);
    };
    try {
      const attaching = this.#host.attach(this.sessionId);
      if (attaching !== undefined) {
        this.#attaching = control;
        await attaching;
        this.#attaching = undefined;
        if (control.settled) return; // cancelled meanwhile
      }
      this.#current = control;
      this.#transcript.promptSent(prompt);
      const params = { sessionId: this.sessionId, prompt, ...(meta && { _meta: meta }) };
      const request = this.#host.peer.request("session/prompt", params, { signal: abandon.signal, onSettled });
      control.clock.start();
      const response = await Promise.race([request, control.turn.result]); // the turn may have given up
      this.#transcript.turnAnswered(response);
      await this.#updates.catchingUp; // it had arrived before: its listeners finish first
      control.resolve(response);
    } catch (error) {
      this.#transcript.turnFailed(error);
      if (isRpcError(error)) await this.#updates.catchingUp;
      control.reject(error);
    } finally {
      onSettled();
      abandon.abort(); // a turn that gave up doesn't wait for its answer any more
      this.#playing = false;
      this.#waiting.shift()?.send();
    }
  }

  #cancel(control: TurnControl): void {
    if (control.settled) return;
    const index = this.#waiting.findIndex((waiting) => waiting.control === control);
    if (index >= 0 || control === this.#attaching) {
      if (index >= 0) this.#waiting.splice(index, 1);
      control.resolve({ stopReason: "cancelled" } satisfies PromptResponse);
    } else if (control === this.#current && !this.#cancelling) {
      this.#cancelling = true;
      void this.#host.peer.notify("session/cancel", { sessionId: this.sessionId });
      this.#host.cancelled(this.sessionId);
      control.clock.cancelled();
    }
  }

  // ── updates ────────────────────────────────────────────────────────────────────────────────────────────────────────

  #deliver(update: IncomingSessionUpdate, size: number): void | PromiseLike<void> {
    this.#note(update);
    if (this.#replaying === "nobody") return;
    this.#current?.push(update, size);
    return this.#updates.deliver(this.#heard(update));
  }

  #heard(update: IncomingSessionUpdate): Heard {
    return { update, context: { session: this, turn: this.#current?.turn, replayed: this.#replaying !== undefined } };
  }

  /** Keeps what the session is in: its mode and its options. */
  #note(update: IncomingSessionUpdate): void {
    this.#calls.note(update);
    this.#transcript.update(update);
    if (update.sessionUpdate === "current_mode_update") {
      if (this.#modes !== undefined) this.#modes = { ...this.#modes, currentModeId: update.currentModeId };
    } else if (update.sessionUpdate === "config_option_update") {
      this.#configOptions = update.configOptions;
    }
  }

  /** @internal Made by the connection. */
  static open(host: SessionHost, sessionId: string): SessionControl {
    const session = new Session(host, sessionId);
    return {
      session,
      cancelling: () => session.#cancelling,
      announced: (toolCallId) => session.#calls.get(toolCallId),
      awaited() {
        const clock = session.#current?.clock;
        clock?.hold();
        return () => clock?.release();
      },
      told: (event) => session.#transcript.tell(event),
      deliver: (update, size) => session.#deliver(update, size),
      keepEarly(updates) {
        for (const update of updates) {
          session.#note(update);
          session.#updates.keep(session.#heard(update));
        }
      },
      catchUp: () => session.#updates.catchUp(),
      replaying(to) {
        session.#replaying = to;
        session.#transcript.replaying(to);
      },
      opened(origin, { modes, configOptions }) {
        session.#origin = origin;
        session.#modes = modes ?? session.#modes;
        session.#configOptions = configOptions ?? session.#configOptions;
        session.#transcript.opened({ sessionId, ...(modes && { modes }), ...(configOptions && { configOptions }) });
      },
    };
  }
}
