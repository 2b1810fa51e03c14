import type { AgentConnection, OpenSessionOptions, Readable, Session, SessionSetup } from "@acp-kit/client";
import { idleSession, type SharedSessionState } from "./agent-state.js";
import { Value } from "./value.js";

/** Describes the session that `useSession` opens. */
export interface SessionRequest extends SessionSetup, Pick<OpenSessionOptions, "prefer" | "options"> {
  /** The id of a saved session to continue; without it, or if it is gone, the session is new. */
  readonly sessionId?: string;
  /** Distinguishes several new sessions with the same `cwd`. Components with equal `cwd`, `sessionId` and `key` share one session. */
  readonly key?: string;
}

/** A session of an `AgentStore`, from the first component that needs it until it is closed. */
export class SharedSession {
  readonly #state = new Value<SharedSessionState>(idleSession);
  readonly #request: SessionRequest;
  readonly #connect: () => Promise<AgentConnection>;
  #opening: Promise<Session> | undefined;

  /** @internal Created by the store of the agent. */
  constructor(request: SessionRequest, connect: () => Promise<AgentConnection>) {
    this.#request = request;
    this.#connect = connect;
  }

  get state(): Readable<SharedSessionState> {
    return this.#state;
  }

  /** Opens the session, or returns it. A call after a failure opens it again. */
  open(): Promise<Session> {
    if (this.#opening !== undefined) return this.#opening;
    const opening = this.#open();
    this.#opening = opening;
    this.#state.set({ status: "opening", session: undefined, error: undefined });
    opening.then(
      (session) => {
        if (this.#opening === opening) this.#state.set({ status: "ready", session, error: undefined });
      },
      (error: unknown) => {
        if (this.#opening !== opening) return;
        this.#opening = undefined;
        this.#state.set({ status: "failed", session: undefined, error });
      },
    );
    return opening;
  }

  /** Closes the session at the agent; the next `open` opens it anew. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.reset();
    await (await opening?.catch(() => undefined))?.close();
  }

  /** @internal Forgets the session, because its connection has ended. */
  reset(): void {
    this.#opening = undefined;
    this.#state.set(idleSession);
  }

  async #open(): Promise<Session> {
    const { sessionId, prefer = "load", options, key: _, ...setup } = this.#request;
    const agent = await this.#connect();
    const request = { ...setup, ...(sessionId !== undefined && { sessionId }) };
    return agent.openSession(request, { prefer, ...(options !== undefined && { options }) });
  }
}
