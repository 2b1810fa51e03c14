import { type Diagnostic, shorten } from "@acp-kit/protocol";
import type {
  IncomingRequestPermissionRequest,
  IncomingSessionNotification,
  IncomingToolCallUpdate,
} from "@acp-kit/types";
import type { ClientLimits } from "./limits.js";
import type { Session } from "./session.js";
import { type EarlyUpdate, SessionControl, type SessionHost } from "./session-control.js";
import type { SessionSetup } from "./sessions/session-params.js";
import type { TranscriptEvent } from "./transcript/transcript-event.js";

/** Options of a {@link SessionRegistry}. */
export interface SessionRegistryOptions {
  readonly report: (diagnostic: Diagnostic) => void;
  readonly limits: Required<Pick<ClientLimits, "maxEarlyUpdates" | "maxBufferedBytes">>;
}

/**
 * Keeps the sessions of one client, and the updates that arrive for a session while it is being created. The registry
 * exists before the first connection and outlives every connection.
 */
export class SessionRegistry {
  readonly #options: SessionRegistryOptions;
  readonly #sessions = new Map<string, SessionControl>();
  /**
   * The session of the last update. Most updates belong to the same session as the update before, and comparing its id
   * is 40 ns faster than a look-up in the map.
   */
  #latest: SessionControl | undefined;
  /** Closed sessions whose turn was cancelled and may still run. */
  readonly #ending = new Map<string, SessionControl>();
  readonly #reopening = new Map<string, Promise<void>>();
  #early: EarlyUpdate[] = [];
  #earlyBytes = 0;
  #opening = 0;

  constructor(options: SessionRegistryOptions) {
    this.#options = options;
  }

  get(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId)?.session;
  }

  control(sessionId: string): SessionControl | undefined {
    return this.#sessions.get(sessionId);
  }

  /** See {@link SessionControl.pauseIdleClock}. */
  pauseIdleClock(sessionId: string): () => void {
    return this.#sessions.get(sessionId)?.pauseIdleClock() ?? (() => {});
  }

  /** See {@link SessionControl.reachedByReader}. */
  reachedByReader(sessionId: string): Promise<void> | undefined {
    return this.#sessions.get(sessionId)?.reachedByReader();
  }

  /** Applies an event to the transcript of a session. */
  applyEvent(sessionId: string, event: TranscriptEvent): void {
    this.#sessions.get(sessionId)?.applyEvent(event);
  }

  /** Whether a request of the agent belongs to a turn that was cancelled, also if the session has been closed since. */
  isCancelling(sessionId: string): boolean {
    const control = this.#sessions.get(sessionId);
    if (control?.queue.current !== undefined) return control.isCancelling;
    return control?.isCancelling === true || this.#ending.get(sessionId)?.isCancelling === true;
  }

  /** Returns the tool call of a permission request, with the members that the agent has sent so far. */
  announcedCall({ sessionId, toolCall }: IncomingRequestPermissionRequest): IncomingToolCallUpdate | undefined {
    return this.#sessions.get(sessionId)?.announcedCall(toolCall.toolCallId);
  }

  all(): Session[] {
    return [...this.#sessions.values()].map(({ session }) => session);
  }

  forget(sessionId: string): void {
    const control = this.#sessions.get(sessionId);
    for (const [id, { isCancelling }] of this.#ending) if (!isCancelling) this.#ending.delete(id);
    if (control?.isCancelling) this.#ending.set(sessionId, control);
    if (control !== undefined) control.openedAs = undefined;
    this.#sessions.delete(sessionId);
    this.#latest = undefined;
  }

  /** Remembers the setup of a session, so that the session can be opened again over another connection. */
  remember(sessionId: string, setup: SessionSetup, generation: number): void {
    const control = this.#sessions.get(sessionId);
    if (control !== undefined) control.openedAs = { setup, generation };
  }

  /**
   * Opens a session again with `reopen`; concurrent calls share one promise. Returns `undefined` if the session is
   * already open over this connection.
   */
  attach(
    sessionId: string,
    generation: number,
    reopen: (control: SessionControl, setup: SessionSetup) => Promise<void>,
  ): Promise<void> | undefined {
    const control = this.#sessions.get(sessionId);
    const opened = control?.openedAs;
    if (control === undefined || opened === undefined || opened.generation === generation) return undefined;
    let reopening = this.#reopening.get(sessionId);
    if (reopening === undefined) {
      reopening = reopen(control, opened.setup).finally(() => this.#reopening.delete(sessionId));
      this.#reopening.set(sessionId, reopening);
    }
    return reopening;
  }

  /**
   * Runs a request that creates a session. Until the response, the registry buffers updates of unknown sessions,
   * because some agents send updates before the response.
   */
  async opening<Result>(request: () => Promise<Result>): Promise<Result> {
    this.#opening += 1;
    try {
      return await request();
    } finally {
      this.#opening -= 1;
      if (this.#opening === 0) for (const { sessionId } of this.#takeEarly(() => true)) this.#unknown(sessionId);
    }
  }

  /**
   * Returns the session with this id, and creates it if necessary. Passes the buffered early updates to the session.
   * When the caller has added its listeners, the session's `catchUp` delivers these updates.
   */
  open(sessionId: string, host: SessionHost): SessionControl {
    let control = this.#sessions.get(sessionId);
    if (control === undefined) {
      control = new SessionControl(host, sessionId);
      this.#sessions.set(sessionId, control);
    }
    if (this.#early.length > 0) {
      control.keepEarly(this.#takeEarly((early) => early.sessionId === sessionId));
    }
    return control;
  }

  receive({ sessionId, update }: IncomingSessionNotification, size: number): unknown {
    // Comparing with the last id is faster than a look-up in the map, because a newly parsed string has no hash yet.
    const latest = this.#latest;
    const control = latest?.sessionId === sessionId ? latest : this.#sessions.get(sessionId);
    if (control !== undefined) {
      this.#latest = control;
      return control.deliver(update, size);
    }
    if (this.#opening > 0) this.#keepEarly({ sessionId, update, size });
    else this.#unknown(sessionId);
    return undefined;
  }

  #takeEarly(isWanted: (early: EarlyUpdate) => boolean): EarlyUpdate[] {
    const taken = this.#early.filter(isWanted);
    this.#early = this.#early.filter((early) => !isWanted(early));
    this.#earlyBytes -= taken.reduce((sum, { size }) => sum + size, 0);
    return taken;
  }

  #keepEarly(early: EarlyUpdate): void {
    const { maxEarlyUpdates, maxBufferedBytes } = this.#options.limits;
    if (this.#early.length < maxEarlyUpdates && this.#earlyBytes + early.size <= maxBufferedBytes) {
      this.#early.push(early);
      this.#earlyBytes += early.size;
    } else this.#unknown(early.sessionId);
  }

  #unknown(sessionId: string): void {
    const message = `An update for session ${shorten(sessionId)} was dropped: this client doesn't know the session`;
    this.#options.report({ code: "unknown_session", message });
  }
}
