import type { AgentConnection, OpenSessionOptions, Readable, Session, SessionSetup } from "@acp-kit/client";
import { idleSession, type SharedSessionState } from "./agent-state.js";
import { Value } from "./value.js";

/** The session to open, as an argument of `useSession`. */
export interface SessionRequest extends SessionSetup, Pick<OpenSessionOptions, "prefer" | "options"> {
  /** The id of a saved session to continue. Without it, or if the agent has lost it, a session is created. */
  readonly sessionId?: string;
  /** Distinguishes new sessions with the same `cwd`. Equal `cwd`, `sessionId` and `key` share one session. */
  readonly key?: string;
}

/** @internal The parts of the store that a {@link SharedSession} uses. */
export interface SessionOwner {
  connect(): Promise<AgentConnection>;
  /**
   * Called when the session is being opened, or a component shows its state. The store then keeps the session. If the
   * store has removed the session, it adds it again: StrictMode unsubscribes a component and subscribes it again.
   */
  onUsed(session: SharedSession): void;
  /** Called when the session is not open and no component shows its state. The store may then remove the session. */
  onUnused(session: SharedSession): void;
}

/** A session of an `AgentStore`, which several components can share. */
export class SharedSession {
  readonly #state = new Value<SharedSessionState>(idleSession, (isObserved) => {
    if (isObserved) this.#owner.onUsed(this);
    else this.#releaseIfUnused();
  });
  readonly #request: SessionRequest;
  readonly #owner: SessionOwner;
  #opening: Promise<Session> | undefined;
  /** The id of the session that was opened, so that the next connection opens the same session. */
  #openedId: string | undefined;
  /** Whether the connection ended while the session was used, so that the next connection opens it again. */
  #isInterrupted = false;

  /** @internal The store creates this object. */
  constructor(request: SessionRequest, owner: SessionOwner) {
    this.#request = request;
    this.#owner = owner;
  }

  get state(): Readable<SharedSessionState> {
    return this.#state;
  }

  /** Opens the session, or returns the open session. After a failure, a call tries again. */
  open(): Promise<Session> {
    if (this.#opening !== undefined) return this.#opening;
    const opening = this.#open();
    this.#opening = opening;
    this.#isInterrupted = false;
    this.#owner.onUsed(this);
    this.#state.set({ status: "opening", session: undefined, error: undefined });
    opening.then(
      (session) => {
        if (this.#opening !== opening) return;
        this.#openedId = session.sessionId;
        this.#state.set({ status: "ready", session, error: undefined });
      },
      (error: unknown) => {
        if (this.#opening !== opening) return;
        this.#opening = undefined;
        this.#state.set({ status: "failed", session: undefined, error });
      },
    );
    return opening;
  }

  /** Closes the session at the agent. The next `open` opens a new one, or the saved one with a `sessionId`. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.reset();
    this.#openedId = undefined;
    this.#isInterrupted = false;
    await (await opening?.catch(() => undefined))?.close();
  }

  /** @internal Returns to the state `idle`, because the connection has ended. */
  reset(): void {
    this.#isInterrupted ||= this.#state.snapshot.status !== "idle";
    this.#opening = undefined;
    this.#state.set(idleSession);
    this.#releaseIfUnused();
  }

  /**
   * @internal Opens the session again if a component shows it, and the previous connection ended or could not be
   * opened.
   */
  onConnected(): void {
    if (!this.#state.isObserved || !(this.#isInterrupted || this.#state.snapshot.status === "failed")) return;
    this.open().catch(() => {}); // the state has the error
  }

  #releaseIfUnused(): void {
    if (this.#opening === undefined && !this.#state.isObserved) this.#owner.onUnused(this);
  }

  async #open(): Promise<Session> {
    const { sessionId = this.#openedId, prefer = "load", options, key: _, ...setup } = this.#request;
    const agent = await this.#owner.connect();
    const request = { ...setup, ...(sessionId !== undefined && { sessionId }) };
    return agent.openSession(request, { prefer, ...(options !== undefined && { options }) });
  }
}
