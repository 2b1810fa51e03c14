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
import { turnNoticeOf } from "./sessions/turn-notice.js";
import { SessionTranscript, type TranscriptSetting } from "./transcript/session-transcript.js";
import type { TranscriptEvent } from "./transcript/transcript-event.js";
import { TurnControl } from "./turn-control.js";
import { type QueueBacklog, UpdateQueue } from "./update-queue.js";

/** The functions and settings of the client that its sessions use. */
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
  /** Opens the session again over the current connection; returns `undefined` if it is already open there. */
  attach(sessionId: string): Promise<void> | undefined;
  /** Runs a call. If the agent requires a login, logs in and runs the call again. */
  withLogin<Result>(run: () => Promise<Result>, mayRepeat?: () => boolean): Promise<Result>;
  /** Called when a session's turn is being cancelled: cancels the session's requests that wait for the user. */
  onTurnCancelling(sessionId: string): void;
  /** Called when a session's turn has ended: cancels the session's open permission requests. */
  onTurnEnded(sessionId: string): void;
  /** Called when the application closes a session. Until `closing` settles, the session is not opened again. */
  onClosing(sessionId: string, closing: Promise<void>): void;
  forget(sessionId: string): void;
  /** Whether the agent accepts messages during a turn (steering). */
  readonly canSteer: boolean;
}

/** An update that arrived before the response that creates its session. */
export interface EarlyUpdate {
  readonly sessionId: string;
  readonly update: IncomingSessionUpdate;
  readonly size: number;
}

/** The members of a response to `session/new`, `session/load` or `session/resume` that a session uses. */
export interface OpeningResponse extends SessionState {
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

/** The setup with which a session was opened, and the number of the connection over which it was opened. */
export interface OpenedAs {
  readonly setup: SessionSetup;
  readonly generation: number;
}

/**
 * The parts of a session, and the methods by which the connection passes events to them. They are separate from
 * {@link Session}, so that applications can't call them.
 *
 * Rarely used parts are created on demand, because a client can have thousands of idle sessions.
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
  isClosed = false;
  /** How the session was opened; `undefined` before the agent has responded, and after the session was removed. */
  openedAs: OpenedAs | undefined;
  #calls: AnnouncedCalls | undefined;
  /** The number of updates whose listeners have not finished. */
  #handling = 0;
  #replaying: "listeners" | "none" | UpdateListener | undefined;

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

  // ── events of the connection ───────────────────────────────────────────────────────────────────────────────────────

  deliver(update: IncomingSessionUpdate, size: number): unknown {
    this.#applyUpdate(update);
    const result = this.#notify(update, size);
    if (result !== undefined) {
      this.#handling += 1;
      const handled = (): void => {
        this.#handling -= 1;
        if (!this.isHandling) this.queue.current?.clock.onHandled();
      };
      Promise.resolve(result).then(handled, handled);
    }
    return result;
  }

  get isHandling(): boolean {
    return this.#handling > 0;
  }

  #notify(update: IncomingSessionUpdate, size: number): unknown {
    const replaying = this.#replaying;
    if (replaying === "none") return undefined;
    const { current } = this.queue;
    const context = this.#contextOf(current?.turn);
    if (typeof replaying === "function") return replaying(update, context);
    current?.push(update, size);
    return this.updates.deliver(update, context, size);
  }

  /** Buffers updates that arrived before the session was created. {@link catchUp}, or adding the first listener, delivers them before later updates. */
  keepEarly(updates: readonly EarlyUpdate[]): void {
    for (const { update, size } of updates) {
      this.#applyUpdate(update);
      this.updates.buffer(update, this.#contextOf(this.queue.current?.turn), size);
    }
  }

  /** Delivers buffered updates, if there is a listener now. */
  catchUp(): void {
    this.updates.catchUp();
  }

  /**
   * Starts a replay, during which all updates are history. `to` selects the listeners that receive the history: all, none,
   * or only one new listener, if the others have already received it.
   */
  setReplay(to: "listeners" | "none" | UpdateListener): void {
    this.#replaying = to;
    this.transcript.setReplay(typeof to === "function" ? "listeners" : to);
  }

  /** Ends a replay. Without a response, the load has failed. */
  endReplay(response?: OpeningResponse): void {
    this.#replaying = undefined;
    const notice = turnNoticeOf(response?._meta);
    const isJoined = notice?.is === "running" && !this.queue.hasOwn;
    this.transcript.setReplay(undefined, isJoined);
    if (isJoined) this.queue.join();
    else if (notice?.is === "idle") this.queue.endJoined(notice.outcome); // the history contains the end of the turn
  }

  onOpened(origin: SessionOrigin, response: OpeningResponse): void {
    const { modes, configOptions, _meta } = response;
    const { sessionId } = this;
    this.origin = origin;
    this.settings.onOpened(response);
    this.transcript.onOpened({ sessionId, ...(modes && { modes }), ...(configOptions && { configOptions }) });
    const isRunning = turnNoticeOf(_meta)?.is === "running";
    if (this.#replaying === undefined && isRunning && !this.queue.hasOwn) this.queue.join();
  }

  /** Cancels the turns of the session, and accepts no others. */
  end(): void {
    this.queue.close();
    this.isClosed = true;
  }

  /** Applies an event to the transcript. */
  applyEvent(event: TranscriptEvent): void {
    this.transcript.apply(event);
  }

  /** See {@link PromptQueue.isCancelling}. */
  get isCancelling(): boolean {
    return this.queue.isCancelling;
  }

  /** Returns a tool call that has not ended, with the members that the agent has sent so far. */
  announcedCall(toolCallId: string): IncomingToolCallUpdate | undefined {
    return this.#calls?.get(toolCallId);
  }

  /** See {@link UpdateQueue.reached}, of the running turn. */
  reachedByReader(): Promise<void> | undefined {
    return this.queue.current?.updates.reached();
  }

  /** Stops the idle timer of the running turn, because the agent waits for a response. Returns a function that starts the timer again. */
  pauseIdleClock(): () => void {
    const current = this.queue.current;
    current?.markBegun();
    current?.clock.hold();
    return () => current?.clock.release();
  }

  /** The absolute paths of the session's folders: its working directory, then its additional directories. */
  get roots(): readonly string[] {
    const setup = this.openedAs?.setup;
    return setup === undefined ? [] : [setup.cwd, ...(setup.additionalDirectories ?? [])];
  }

  // ── calls from the session, its queue and its settings ─────────────────────────────────────────────────────────────

  attach(): Promise<void> | undefined {
    return this.host.attach(this.sessionId);
  }

  withLogin<Result>(run: () => Promise<Result>, mayRepeat?: () => boolean): Promise<Result> {
    return this.host.withLogin(run, mayRepeat);
  }

  /** Runs a call once the session is open over the current connection, and logs in if the call needs a login. */
  whileAttached<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.host.withLogin(() => {
      const attaching = this.attach();
      return attaching === undefined ? run() : attaching.then(run);
    });
  }

  listenersIdle(): Promise<void> | undefined {
    return this.updates.catchingUp;
  }

  onCancelling(): void {
    this.transcript.onTurnCancelling();
    this.host.onTurnCancelling(this.sessionId);
  }

  createJoined(): TurnControl {
    const updates = new UpdateQueue<IncomingSessionUpdate>(this.host.backlog, this.sessionId, this.host.limits);
    return new TurnControl(this.session, updates, { prompt: undefined }, this.queue);
  }

  onJoined(): void {
    this.transcript.onTurnJoined();
  }

  onSending(prompt: readonly ContentBlock[]): void {
    this.transcript.onPromptSent(prompt);
  }

  onEnded({ isJoined }: TurnControl, wasCurrent: boolean): void {
    if (wasCurrent) this.#calls?.endTurn();
    this.transcript.onTurnEnded(isJoined);
    if (wasCurrent) this.host.onTurnEnded(this.sessionId);
  }

  onResponse({ isJoined }: TurnControl, response: PromptResponse): void {
    this.transcript.onTurnResponse(isJoined, response);
  }

  onFailed({ isJoined }: TurnControl, error: unknown): void {
    this.transcript.onTurnFailed(isJoined, error);
  }

  onChanged(update: IncomingSessionUpdate): void {
    this.transcript.update(update);
  }

  // ── updates ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Applies an update to the state of the session. Message chunks, the most frequent updates, only change the transcript. */
  #applyUpdate(update: IncomingSessionUpdate): void {
    this.transcript.update(update);
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        break;
      case "tool_call":
      case "tool_call_update":
        this.#calls ??= new AnnouncedCalls();
        this.#calls.apply(update as IncomingToolCallUpdate);
        break;
      case "config_option_update":
      case "current_mode_update":
        this.settings.applyUpdate(update);
        break;
      case "session_info_update":
        this.#onTurnNotice((update as { readonly _meta?: OpeningResponse["_meta"] })._meta);
    }
  }

  /** Handles the start or the end of a turn that this client did not start. */
  #onTurnNotice(meta: OpeningResponse["_meta"]): void {
    const notice = this.#replaying === undefined ? turnNoticeOf(meta) : undefined;
    if (notice?.is === "running") this.queue.join();
    else if (notice !== undefined) this.queue.endJoined(notice.outcome);
  }

  #contextOf(turn: PromptTurn | undefined): UpdateContext {
    return { session: this.session, turn, replayed: this.#replaying !== undefined };
  }
}
