import type {
  ContentBlock,
  IncomingSessionConfigOption,
  IncomingSessionUpdate,
  IncomingToolCallUpdate,
  SessionModeState,
} from "@acp-kit/types";
import type { ClientPeer } from "./client-peer.js";
import type { UpdateListener } from "./connect-options.js";
import { isNotFound } from "./errors.js";
import type { ClientLimits } from "./limits.js";
import { AnnouncedCalls } from "./permissions/announced-calls.js";
import { type PromptInput, promptBlocks } from "./prompt/prompt-content.js";
import { type Heard, SessionUpdates } from "./session-updates.js";
import { PromptQueue } from "./sessions/prompt-queue.js";
import type { SessionOptions } from "./sessions/session-options.js";
import { SessionSettings, type SessionState } from "./sessions/session-settings.js";
import { cannotSteer, type SteerOutcome, steer } from "./sessions/steer.js";
import type { Readable } from "./transcript/readable.js";
import { SessionTranscript, type TranscriptSetting } from "./transcript/session-transcript.js";
import type { Transcript } from "./transcript/transcript.js";
import type { TranscriptEvent } from "./transcript/transcript-event.js";
import { type PromptOptions, Turn } from "./turn.js";
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
  /** Runs something, and once more after a login if it needs one. */
  loggedIn<Result>(run: () => Promise<Result>): Promise<Result>;
  /** The session's turn is being cancelled: its open permission requests are to be answered. */
  cancelled(sessionId: string): void;
  /** Its turn has ended: nothing of it has to be decided any more. */
  turnEnded(sessionId: string): void;
  forget(sessionId: string): void;
  roots(sessionId: string): readonly string[];
  /** The agent takes messages into a running turn. */
  readonly steers: boolean;
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
  /** What comes is history, told again: to the listeners; when they know it already, to the one who doesn't, or to nobody. */
  replaying(to: "listeners" | "nobody" | UpdateListener | undefined): void;
  readonly settings: SessionSettings;
  opened(origin: SessionOrigin, state: SessionState): void;
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
  readonly #queue: PromptQueue;
  readonly #settings: SessionSettings;
  #replaying: "listeners" | "nobody" | UpdateListener | undefined;
  #closed = false;
  #origin: SessionOrigin = "new";

  private constructor(host: SessionHost, sessionId: string) {
    this.#host = host;
    this.sessionId = sessionId;
    const { maxUnheardUpdates } = host.limits;
    this.#updates = new SessionUpdates(host.onUpdate, maxUnheardUpdates, (code, message, cause) =>
      host.peer.report({ code, message, cause }),
    );
    this.#queue = new PromptQueue({
      sessionId,
      get peer() {
        return host.peer;
      },
      attach: () => host.attach(sessionId),
      loggedIn: (run) => host.loggedIn(run),
      heard: () => this.#updates.catchingUp,
      cancelled: () => host.cancelled(sessionId),
      sent: (prompt) => this.#transcript.promptSent(prompt),
      ended: () => {
        this.#transcript.turnSettled();
        host.turnEnded(sessionId);
      },
      answered: (response) => this.#transcript.turnAnswered(response),
      failed: (error) => this.#transcript.turnFailed(error),
    });
    this.#settings = new SessionSettings({
      sessionId,
      get peer() {
        return host.peer;
      },
      attached: (run) => this.#attached(run),
      changed: (update) => this.#transcript.update(update),
    });
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

  /** Its mode, its model and whatever else can be set, as one list. */
  get options(): SessionOptions {
    return this.#settings;
  }

  /** The modes as the agent told them; `undefined` when it has none. {@link options} has them too. */
  get modes(): SessionModeState | undefined {
    return this.#settings.state.modes;
  }

  /** The config options as the agent told them; `undefined` when it has none. {@link options} has them too. */
  get configOptions(): readonly IncomingSessionConfigOption[] | undefined {
    return this.#settings.state.configOptions;
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
    return this.#queue.current === undefined ? "idle" : "running";
  }

  /** The turn that runs now. */
  get turn(): Turn | undefined {
    return this.#queue.current?.turn;
  }

  /** The turns that are not settled, the running one first: what a list of queued prompts shows. */
  get queue(): Readable<readonly Turn[]> {
    return this.#queue.turns;
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
    const { peer, concurrentPrompts, limits } = this.#host;
    let blocks: ContentBlock[] = [];
    let problem: unknown;
    try {
      if (this.#closed) throw new TypeError(`Session ${this.sessionId} is closed`);
      if (this.#queue.busy && concurrentPrompts === "reject")
        throw new TypeError(`A turn of session ${this.sessionId} is running`);
      blocks = promptBlocks(peer, input, options.unsupportedBlocks);
    } catch (error) {
      problem = error;
    }
    const updates = new UpdateQueue<IncomingSessionUpdate>(this.#host.backlog, this.sessionId, limits.maxUnreadUpdates);
    const control = Turn.open(this, blocks, updates, options, this.#queue);
    if (problem !== undefined) control.reject(problem);
    else if (options.signal?.aborted) control.resolve({ stopReason: "cancelled" });
    else this.#queue.add(control);
    return control.turn;
  }

  /** Cancels the running turn and the prompts that wait. Without any, nothing happens. */
  cancel(): void {
    this.#queue.cancelAll();
  }

  /** Switches to one of {@link modes}. @see https://agentclientprotocol.com/protocol/v1/session-modes */
  setMode(modeId: string): Promise<void> {
    return this.#attached(() => this.#settings.setMode(modeId));
  }

  /** Changes one of {@link configOptions} and returns them all: options may depend on each other. */
  setConfigOption(configId: string, value: string | boolean): Promise<readonly IncomingSessionConfigOption[]> {
    return this.#attached(() => this.#settings.setConfigOption(configId, value));
  }

  /**
   * Sends a message into the running turn, where the agent can. `no_turn`: none was running, prompt instead.
   *
   * @throws {CapabilityError} when the agent can't, or doesn't take what the message holds.
   */
  async steer(input: PromptInput): Promise<SteerOutcome> {
    if (!this.#host.steers) throw cannotSteer();
    const { peer } = this.#host;
    const blocks = promptBlocks(peer, input);
    return this.turn === undefined ? "no_turn" : steer(peer, this.sessionId, blocks);
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

  /** Runs something while the session is open over the connection of the moment, after a login if it needs one. */
  #attached<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.#host.loggedIn(async () => {
      await this.#host.attach(this.sessionId);
      return run();
    });
  }

  // ── updates ────────────────────────────────────────────────────────────────────────────────────────────────────────

  #deliver(update: IncomingSessionUpdate, size: number): void | PromiseLike<void> {
    this.#note(update);
    if (this.#replaying === "nobody") return;
    if (typeof this.#replaying === "function") {
      const { context } = this.#heard(update);
      return this.#replaying(update, context);
    }
    this.#queue.current?.push(update, size);
    return this.#updates.deliver(this.#heard(update));
  }

  #heard(update: IncomingSessionUpdate): Heard {
    return {
      update,
      context: { session: this, turn: this.#queue.current?.turn, replayed: this.#replaying !== undefined },
    };
  }

  /** Keeps what the session is in: its mode and its options. */
  #note(update: IncomingSessionUpdate): void {
    this.#calls.note(update);
    this.#transcript.update(update);
    this.#settings.heard(update);
  }

  /** @internal Made by the connection. */
  static open(host: SessionHost, sessionId: string): SessionControl {
    const session = new Session(host, sessionId);
    return {
      session,
      cancelling: () => session.#queue.cancelling,
      announced: (toolCallId) => session.#calls.get(toolCallId),
      awaited() {
        const clock = session.#queue.current?.clock;
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
        session.#transcript.replaying(typeof to === "function" ? "listeners" : to);
      },
      settings: session.#settings,
      opened(origin, answer) {
        const { modes, configOptions } = answer;
        session.#origin = origin;
        session.#settings.opened(answer);
        session.#transcript.opened({ sessionId, ...(modes && { modes }), ...(configOptions && { configOptions }) });
      },
    };
  }
}
