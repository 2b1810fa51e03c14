import { type ErrorObject, isRpcError, JsonRpcErrorCode, type RequestOptions } from "@acp-kit/jsonrpc";
import type { Scope } from "../engine/session-record.js";
import { gatewayError } from "../gateway-error.js";
import type { SessionSetup } from "../journal/journal-entry.js";
import type { SessionOpening } from "../session/command.js";
import { type SessionState, setupOf } from "../session/session-state.js";
import type { AgentHost, AgentSink } from "./agent-host.js";
import type { AgentPool } from "./agent-pool.js";

/**
 * Where a session's agent is:
 *
 * - `empty`: none runs for this session; the next use starts one.
 * - `waking`: one is being started and opens the session.
 * - `seated`: it has the session open.
 * - `left`: the session is given up here; nothing starts any more.
 */
type SeatState =
  | { readonly is: "empty" }
  | { readonly is: "waking"; readonly seated: Promise<Seated> }
  | { readonly is: "seated"; readonly seated: Seated }
  | { readonly is: "left" };

interface Seated {
  readonly host: AgentHost;
  readonly agentSessionId: string;
}

/** What an {@link AgentSeat} works with. */
export interface AgentSeatOptions {
  readonly principal: Scope;
  readonly agents: AgentPool;
  readonly sink: AgentSink;
  /** What the journal says of the session now. */
  readonly state: () => SessionState;
  /** The agent opened the session again; `isNew` under another id, because no turn had been run. */
  readonly onReopened: (opened: {
    readonly agentSessionId: string;
    readonly setup: SessionSetup;
    readonly isNew: boolean;
  }) => void;
  /** No agent can open the session again. */
  readonly onLost: (message: string) => void;
  /** The agent ended by itself. */
  readonly onGone: () => void;
}

/** The place of one session's agent: starts it when it is needed, opens the session again, notices its end. */
export class AgentSeat {
  readonly #options: AgentSeatOptions;
  #state: SeatState = { is: "empty" };

  constructor(options: AgentSeatOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#state.is === "empty" || this.#state.is === "left";
  }

  /** An agent runs here that may end: another one can open the session again. */
  get canReopen(): boolean {
    if (this.#state.is !== "seated") return false;
    const { host } = this.#state.seated;
    return host.supports("resume") || host.supportsLoad || this.#options.state().turns === 0;
  }

  /** Takes an agent that has just created the session. */
  adopt(host: AgentHost, agentSessionId: string): void {
    host.bind(agentSessionId, this.#options.sink);
    this.#seat({ host, agentSessionId });
  }

  /**
   * Sends a request about the session to its agent, which is started if necessary.
   *
   * @throws {RpcError} `session_lost` or `agent_failed` if no agent can be had, or what the agent responds with.
   */
  async request(method: string, params: object, opening: SessionOpening, options?: RequestOptions): Promise<unknown> {
    const { host, agentSessionId } = await this.wake(opening);
    return host.request(method, { ...params, sessionId: agentSessionId }, options);
  }

  /** Sends a notification about the session, if an agent has it open. */
  notify(method: string, params: object): void {
    if (this.#state.is !== "seated") return;
    const { host, agentSessionId } = this.#state.seated;
    host.notify(method, { ...params, sessionId: agentSessionId });
  }

  /** The agent with the session open; starts one if there is none. */
  wake(opening: SessionOpening): Promise<Seated> {
    const state = this.#state;
    if (state.is === "seated") return Promise.resolve(state.seated);
    if (state.is === "waking") return state.seated;
    if (state.is === "left") return Promise.reject(gatewayError("agent_failed", "The session was closed"));
    const seated = this.#open(opening);
    this.#state = { is: "waking", seated };
    seated.then(
      (opened) => this.#seat(opened),
      () => {
        if (this.#state.is === "waking") this.#state = { is: "empty" };
      },
    );
    return seated;
  }

  /** Gives the agent up: it closes the session in order if it can, within a time. `isAbrupt` ends the process at once. */
  async leave({ isAbrupt, timeoutMs }: { readonly isAbrupt: boolean; readonly timeoutMs: number }): Promise<void> {
    const state = this.#state;
    this.#state = { is: "left" };
    if (state.is !== "seated") return; // one that is being started ends when it has
    const { host, agentSessionId } = state.seated;
    if (!isAbrupt && host.isOpen && host.supports("close"))
      await host.request("session/close", { sessionId: agentSessionId }, { timeoutMs }).catch(() => {});
    else if (isAbrupt) host.notify("session/cancel", { sessionId: agentSessionId }); // a shared agent lives on
    host.unbind(agentSessionId);
    await this.#options.agents.giveBack(host);
  }

  #seat(seated: Seated): void {
    if (this.#state.is === "left") return;
    this.#state = { is: "seated", seated };
    void seated.host.closed.then(() => {
      if (this.#state.is !== "seated" || this.#state.seated !== seated) return;
      this.#state = { is: "empty" };
      this.#options.onGone();
    });
  }

  async #open(opening: SessionOpening): Promise<Seated> {
    const { principal, agents, state, sink } = this.#options;
    const host = await agents.take(principal, opening).catch((cause: unknown) => {
      throw isRpcError(cause) ? cause : gatewayError("agent_failed", "The agent could not be started", { cause });
    });
    try {
      const { agentSessionId, setup, isNew } = await this.#reopen(host, state(), opening);
      host.bind(agentSessionId, sink);
      if (isNew) host.openingDone();
      if ((this.#state as SeatState).is === "left") {
        host.unbind(agentSessionId);
        throw gatewayError("agent_failed", "The session was closed");
      }
      this.#options.onReopened({ agentSessionId, setup, isNew });
      return { host, agentSessionId };
    } catch (cause) {
      await agents.giveBack(host);
      throw isRpcError(cause)
        ? cause
        : gatewayError("agent_failed", "The agent ended while it opened the session", { cause });
    }
  }

  /** Resumes or loads the session, whichever the agent can. Its replay is discarded: the journal has it. */
  async #reopen(host: AgentHost, { agentSessionId, turns }: SessionState, opening: SessionOpening) {
    const method = host.supports("resume") ? "session/resume" : host.supportsLoad ? "session/load" : undefined;
    if (method !== undefined) {
      host.bind(agentSessionId, discard);
      try {
        const response = await host.request(method, { ...opening, sessionId: agentSessionId });
        return { agentSessionId, setup: setupOf(response), isNew: false };
      } catch (error) {
        host.unbind(agentSessionId);
        // Agents create a session's file with its first turn: before that, a new session is the same.
        if (turns > 0) throw this.#lostOr(error);
      }
    }
    if (turns > 0) throw this.#lost("The agent has ended, and can't open its sessions again");
    try {
      const { sessionId, response } = await host.newSession(opening);
      return { agentSessionId: sessionId, setup: setupOf(response), isNew: true };
    } catch (error) {
      host.openingDone();
      throw error;
    }
  }

  /** An agent that does not know the session any more has lost it; any other error may pass. */
  #lostOr(error: unknown): unknown {
    if (!isRpcError(error)) return error;
    return forgotten.has(error.code)
      ? this.#lost("The agent does not know the session any more", error.toJSON())
      : error;
  }

  #lost(message: string, agentError?: ErrorObject): unknown {
    this.#options.onLost(message);
    return gatewayError("session_lost", message, { data: { ...(agentError && { agentError }) } });
  }
}

/** Responses of agents to the load of a session that they do not have. */
const forgotten: ReadonlySet<number> = new Set([-32002, JsonRpcErrorCode.methodNotFound]);

const discard: AgentSink = {
  notification: () => {},
  request: () => Promise.reject(gatewayError("agent_failed", "The session is being opened")),
};
