import type { Diagnostic } from "@acp-kit/protocol";
import type { ContentBlock, IncomingSessionUpdate, IncomingToolCallUpdate, PromptResponse } from "@acp-kit/types";
import type { ClientPeer } from "./client-peer.js";
import type { UpdateContext, UpdateListener } from "./connect-options.js";
import type { ClientLimits } from "./limits.js";
import { AnnouncedCalls } from "./permissions/announced-calls.js";
import type { PromptTurn } from "./prompt-turn.js";
import { Session, type SessionOrigin } from "./session.js";
import { SessionUpdates } from "./session-updates.js";
import { PromptQueue, type PromptQueueHost } from "./sessions/prompt-queue.js";
import type { SessionSetup } from "./sessions/session-params.js";
import { SessionSettings, type SessionSettingsHost, type SessionState } from "./sessions/session-settings.js";
import { SessionTranscript, type TranscriptSetting } from "./transcript/session-transcript.js";
import type { TranscriptEvent } from "./transcript/transcript-event.js";
import type { QueueBacklog } from "./update-queue.js";

/** What a session needs of its client. */
export interface SessionHost {
  readonly report: (diagnostic: Diagnostic) => void;
  /** The current connection. */
  readonly peer: ClientPeer;
  /** The backlog of the current connection. */
  readonly backlog: QueueBacklog;
  readonly onUpdate: UpdateListener | undefined;
  readonly concurrentPrompts: "queue" | "reject";
  readonly transcript: TranscriptSetting;
  readonly limits: Required<Pick<ClientLimits, "maxBufferedUpdates" | "maxUnreadUpdates" | "maxBufferedBytes">>;
  /** Nothing when the session is open over the connection of the moment, else a promise that it will be. */
  attach(sessionId: string): Promise<void> | undefined;
  /** Runs something, and once more after a login if it needs one. */
  loggedIn<Result>(run: () => Promise<Result>): Promise<Result>;
  /** The session's turn is being cancelled: its open permission requests are to be answered. */
  cancelled(sessionId: string): void;
  /** Its turn has ended: nothing of it has to be decided any more. */
  turnEnded(sessionId: string): void;
  forget(sessionId: string): void;
  /** The agent takes messages into a running turn. */
  readonly steers: boolean;
}

/** An update that came before its session was known. */
export interface EarlyUpdate {
  readonly sessionId: string;
  readonly update: IncomingSessionUpdate;
  readonly size: number;
}

/** How a session was opened, and over which connection. */
export interface OpenedAs {
  readonly setup: SessionSetup;
  readonly generation: number;
}

/**
 * What a session is made of, and how the connection tells it what arrives. Kept apart from {@link Session}, so that applications can't.
 *
 * A client may have thousands of sessions that nobody uses at the moment: what only some of them need is made when it is needed.
 */
export class SessionControl implements PromptQueueHost, SessionSettingsHost {
  readonly session: Session;
  readonly sessionId: string;
  readonly host: SessionHost;
  readonly settings: SessionSettings;
  readonly queue: PromptQueue;
  readonly updates: SessionUpdates;
  readonly transcript: SessionTranscript;
  origin: SessionOrigin = "new";
  /** Absent until the agent has answered, and once the session is forgotten. */
  openedAs: OpenedAs | undefined;
  #calls: AnnouncedCalls | undefined;
  #replaying: "listeners" | "nobody" | UpdateListener | undefined;

  constructor(host: SessionHost, sessionId: string) {
    this.host = host;
    this.sessionId = sessionId;
    this.settings = new SessionSettings(this);
    this.queue = new PromptQueue(this);
    this.updates = new SessionUpdates(host, sessionId);
    this.transcript = new SessionTranscript(host, sessionId);
    this.session = new Session(this);
  }

  get peer(): ClientPeer {
    return this.host.peer;
  }

  // ── what the connection tells ──────────────────────────────────────────────────────────────────────────────────────

  deliver(update: IncomingSessionUpdate, size: number): unknown {
    this.#note(update);
    const replaying = this.#replaying;
    if (replaying === "nobody") return undefined;
    const { current } = this.queue;
    const context = this.#contextOf(current?.turn);
    if (typeof replaying === "function") return replaying(update, context);
    current?.push(update, size);
    return this.updates.deliver(update, context, size);
  }

  /** What came before the session was known. It is told before anything else, by {@link catchUp} or to the first listener. */
  keepEarly(updates: readonly EarlyUpdate[]): void {
    for (const { update, size } of updates) {
      this.#note(update);
      this.updates.keep(update, this.#contextOf(this.queue.current?.turn), size);
    }
  }

  /** Tells what was kept where the connection itself listens; its own listeners are there by now. */
  catchUp(): void {
    this.updates.catchUp();
  }

  /** What comes is history, told again: to the listeners; when they know it already, to the one who doesn't, or to nobody. */
  replaying(to: "listeners" | "nobody" | UpdateListener | undefined): void {
    this.#replaying = to;
    this.transcript.replaying(typeof to === "function" ? "listeners" : to);
  }

  opened(origin: SessionOrigin, answer: SessionState): void {
    const { modes, configOptions } = answer;
    const { sessionId } = this;
    this.origin = origin;
    this.settings.opened(answer);
    this.transcript.opened({ sessionId, ...(modes && { modes }), ...(configOptions && { configOptions }) });
  }

  /** Something happened that the transcript should know, beside updates and turns. */
  told(event: TranscriptEvent): void {
    this.transcript.tell(event);
  }

  /** The turn that runs is being cancelled. */
  get cancelling(): boolean {
    return this.queue.cancelling;
  }

  /** What was told of a tool call that is not done. */
  announced(toolCallId: string): IncomingToolCallUpdate | undefined {
    return this.#calls?.get(toolCallId);
  }

  /** The agent waits for an answer of ours from here until the returned function is called. */
  awaited(): () => void {
    const clock = this.queue.current?.clock;
    clock?.hold();
    return () => clock?.release();
  }

  /** The absolute paths that it was opened with: its working directory first. */
  get roots(): readonly string[] {
    const setup = this.openedAs?.setup;
    return setup === undefined ? [] : [setup.cwd, ...(setup.additionalDirectories ?? [])];
  }

  // ── what its parts ask for ─────────────────────────────────────────────────────────────────────────────────────────

  attach(): Promise<void> | undefined {
    return this.host.attach(this.sessionId);
  }

  loggedIn<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.host.loggedIn(run);
  }

  /** Runs something while the session is open over the connection of the moment, after a login if it needs one. */
  attached<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.host.loggedIn(() => {
      const attaching = this.attach();
      return attaching === undefined ? run() : attaching.then(run);
    });
  }

  heard(): Promise<void> | undefined {
    return this.updates.catchingUp;
  }

  cancelled(): void {
    this.host.cancelled(this.sessionId);
  }

  sent(prompt: readonly ContentBlock[]): void {
    this.transcript.promptSent(prompt);
  }

  ended(): void {
    this.transcript.turnSettled();
    this.host.turnEnded(this.sessionId);
  }

  answered(response: PromptResponse): void {
    this.transcript.turnAnswered(response);
  }

  failed(error: unknown): void {
    this.transcript.turnFailed(error);
  }

  changed(update: IncomingSessionUpdate): void {
    this.transcript.update(update);
  }

  // ── updates ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Keeps what the session is in: its mode and its options. Chunks, of which there are thousands, say nothing about that. */
  #note(update: IncomingSessionUpdate): void {
    this.transcript.update(update);
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        break;
      case "tool_call":
      case "tool_call_update":
        this.#calls ??= new AnnouncedCalls();
        this.#calls.note(update as IncomingToolCallUpdate);
        break;
      case "config_option_update":
      case "current_mode_update":
        this.settings.heard(update);
    }
  }

  #contextOf(turn: PromptTurn | undefined): UpdateContext {
    return { session: this.session, turn, replayed: this.#replaying !== undefined };
  }
}
