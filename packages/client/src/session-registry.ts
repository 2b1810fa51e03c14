import type { Diagnostic } from "@acp-kit/protocol";
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
 * The sessions of one client, and early updates of sessions that are being created. It does not need a connection, so that it exists
 * before the first one.
 */
export class SessionRegistry {
  readonly #options: SessionRegistryOptions;
  readonly #sessions = new Map<string, SessionControl>();
  /** The session of the last update. Where there is one session, comparing ids instead of looking them up saves 40 ns of each update. */
  #latest: SessionControl | undefined;
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

  /** Applies an event to the transcript of a session. */
  applyEvent(sessionId: string, event: TranscriptEvent): void {
    this.#sessions.get(sessionId)?.applyEvent(event);
  }

  isCancelling(sessionId: string): boolean {
    return this.#sessions.get(sessionId)?.isCancelling === true;
  }

  /** All members of the call of a permission request, as far as the agent has sent them. */
  announcedCall({ sessionId, toolCall }: IncomingRequestPermissionRequest): IncomingToolCallUpdate | undefined {
    return this.#sessions.get(sessionId)?.announcedCall(toolCall.toolCallId);
  }

  all(): Session[] {
    return [...this.#sessions.values()].map(({ session }) => session);
  }

  forget(sessionId: string): void {
    const control = this.#sessions.get(sessionId);
    if (control !== undefined) control.openedAs = undefined;
    this.#sessions.delete(sessionId);
    this.#latest = undefined;
  }

  /** Remembers how a session was opened, so that it can be opened again over another connection. */
  remember(sessionId: string, setup: SessionSetup, generation: number): void {
    const control = this.#sessions.get(sessionId);
    if (control !== undefined) control.openedAs = { setup, generation };
  }

  /** Opens a session again by `reopen`, once for concurrent calls; `undefined` if it is open over this connection. */
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
   * Runs a request that creates a session. Meanwhile updates of unknown sessions are buffered: some agents send them
   * before the response.
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

  /** Adds or finds a session and passes its early updates to it; `catchUp` delivers them, once the listeners are added. */
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
    // An id that has just been parsed has no hash yet, so comparing costs less than a look-up.
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
    const message = `An update for session ${sessionId} was dropped: this client doesn't know it`;
    this.#options.report({ code: "unknown_session", message });
  }
}
