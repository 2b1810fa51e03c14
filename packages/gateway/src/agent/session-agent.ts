import { isRpcError, JsonRpcErrorCode, type RequestOptions } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import type { Scope } from "../engine/session-record.js";
import { gatewayError } from "../gateway-error.js";
import type { SessionSetup } from "../journal/journal-entry.js";
import type { SessionOpening } from "../session/command.js";
import { type SessionState, setupOf } from "../session/session-state.js";
import type { ProtocolVersion } from "../version.js";
import type { AgentHost, AgentSink } from "./agent-host.js";
import type { AgentPool } from "./agent-pool.js";

/**
 * The state of a session's agent:
 *
 * - `none`: no agent runs for this session. The next use starts one.
 * - `waking`: an agent is starting and opens the session.
 * - `open`: an agent has the session open.
 * - `released`: this replica has released the session. No agent starts any more.
 */
type SessionAgentState =
  | { readonly is: "none" }
  | { readonly is: "waking"; readonly opened: Promise<OpenedSession>; readonly waking: Waking }
  | { readonly is: "open"; readonly opened: OpenedSession }
  | { readonly is: "released" };

/** An agent that has the session open. */
export interface OpenedSession {
  readonly host: AgentHost;
  readonly agentSessionId: string;
}

interface Waking {
  /** The agent that opens the session; `undefined` while it starts, and after it was given back to the pool. */
  host: AgentHost | undefined;
}

/** Options of a {@link SessionAgent}. */
export interface SessionAgentOptions {
  readonly principal: Scope;
  readonly agents: AgentPool;
  readonly sink: AgentSink;
  /** How long the agent may take to open the session, in milliseconds. */
  readonly openTimeoutMs: number;
  /** The current state of the session. */
  readonly state: () => SessionState;
  /**
   * Called when the agent has opened the session again. `isNew`: the session had no turn yet, so the agent created a
   * new session with another id instead.
   */
  readonly onReopened: (opened: {
    readonly agentSessionId: string;
    readonly setup: SessionSetup;
    readonly version: ProtocolVersion;
    readonly isNew: boolean;
  }) => void;
  /** Called when no agent can open the session again. */
  readonly onLost: (message: string) => void;
  /** Called when the agent has ended by itself. */
  readonly onGone: () => void;
}

/**
 * Manages the agent of one session: starts an agent when it is needed, opens the session again, and detects the agent's
 * end.
 */
export class SessionAgent {
  readonly #options: SessionAgentOptions;
  #state: SessionAgentState = { is: "none" };

  constructor(options: SessionAgentOptions) {
    this.#options = options;
  }

  /** Whether an agent runs and may end, because another agent can open the session again. */
  get canReopen(): boolean {
    return this.#state.is === "open" && !this.wouldLose;
  }

  /** Whether an agent runs and must not end, because no other agent could open the session again. */
  get wouldLose(): boolean {
    if (this.#state.is !== "open") return false;
    const { host } = this.#state.opened;
    return !host.supports("resume") && !host.supportsLoad && this.#options.state().turns > 0;
  }

  /** Uses an agent that has just created the session. */
  adopt(host: AgentHost, agentSessionId: string): void {
    host.bind(agentSessionId, this.#options.sink);
    this.#setOpen({ host, agentSessionId });
  }

  /**
   * Sends a request about the session to its agent, which is started if necessary.
   *
   * @throws {RpcError} `session_lost` or `agent_failed` if no agent can open the session, or the agent's own error.
   */
  async request(method: string, params: object, opening: SessionOpening, options?: RequestOptions): Promise<unknown> {
    return this.send(await this.wake(opening), method, params, options);
  }

  /**
   * Like {@link request}, to an agent that {@link wake} has returned. Sends the request at once, so that later
   * notifications follow it.
   */
  send(
    { host, agentSessionId }: OpenedSession,
    method: string,
    params: object,
    options?: RequestOptions,
  ): Promise<unknown> {
    return host.request(method, { ...params, sessionId: agentSessionId }, options);
  }

  /**
   * @throws {RpcError} `limit` if too many messages wait until the agent of the session reads. The caller may send its
   * message again later.
   */
  assertReads(): void {
    if (this.#state.is === "open") this.#state.opened.host.assertReads();
  }

  /** Sends a notification about the session, if an agent has it open. */
  notify(method: string, params: object): void {
    if (this.#state.is !== "open") return;
    const { host, agentSessionId } = this.#state.opened;
    host.notify(method, { ...params, sessionId: agentSessionId });
  }

  /** Returns the agent that has the session open. Starts one if necessary. */
  wake(opening: SessionOpening): Promise<OpenedSession> {
    const state = this.#state;
    if (state.is === "open") {
      const { host } = state.opened;
      if (host.isOpen) return Promise.resolve(state.opened);
      return host.closed.then(() => this.wake(opening)); // the processes of this agent are still ending
    }
    if (state.is === "waking") return state.opened;
    if (state.is === "released") return Promise.reject(gatewayError("agent_failed", "The session was closed"));
    const waking: Waking = { host: undefined };
    const opened = this.#open(opening, waking);
    this.#state = { is: "waking", opened, waking };
    opened.then(
      (session) => this.#setOpen(session),
      () => {
        if (this.#state.is === "waking") this.#state = { is: "none" };
      },
    );
    return opened;
  }

  /**
   * Releases the agent. An agent that supports `session/close` gets `timeoutMs` to close the session. With `isAbrupt`,
   * the agent gets only `session/cancel`.
   */
  async release({ isAbrupt, timeoutMs }: { readonly isAbrupt: boolean; readonly timeoutMs: number }): Promise<void> {
    const state = this.#state;
    this.#state = { is: "released" };
    // The agent may never respond, so its response is not awaited. An agent that is starting ends after its start.
    if (state.is === "waking") await this.#giveBack(state.waking);
    if (state.is !== "open") return;
    const { host, agentSessionId } = state.opened;
    if (!isAbrupt && host.isOpen && host.supports("close"))
      await host.request("session/close", { sessionId: agentSessionId }, { timeoutMs }).catch(() => {});
    else if (isAbrupt) host.notify("session/cancel", { sessionId: agentSessionId }); // a shared agent continues
    host.unbind(agentSessionId);
    await this.#options.agents.giveBack(host);
  }

  #setOpen(opened: OpenedSession): void {
    if (this.#state.is === "released") return;
    this.#state = { is: "open", opened };
    void opened.host.closed.then(() => {
      if (this.#state.is !== "open" || this.#state.opened !== opened) return;
      this.#state = { is: "none" };
      this.#options.onGone();
    });
  }

  async #open(opening: SessionOpening, waking: Waking): Promise<OpenedSession> {
    const { principal, agents, state } = this.#options;
    const { lost } = state();
    if (lost !== null) throw gatewayError("session_lost", lost);
    const host = await agents.take(principal, opening).catch((cause: unknown) => {
      throw isRpcError(cause) ? cause : gatewayError("agent_failed", "The agent could not be started", { cause });
    });
    waking.host = host;
    try {
      this.#assertNotReleased();
      return await this.#reopen(host, state(), opening);
    } catch (cause) {
      await this.#giveBack(waking);
      throw isRpcError(cause)
        ? cause
        : gatewayError("agent_failed", "The agent ended while it opened the session, or did not respond", { cause });
    }
  }

  /**
   * Handles the agent's response with which the session is open. From now on, the session receives the agent's
   * messages.
   */
  #opened(host: AgentHost, agentSessionId: string, response: unknown, isNew: boolean): OpenedSession {
    this.#assertNotReleased();
    this.#options.onReopened({ agentSessionId, setup: setupOf(response), version: host.version, isNew });
    host.bind(agentSessionId, this.#options.sink);
    return { host, agentSessionId };
  }

  #assertNotReleased(): void {
    if (this.#state.is === "released") throw gatewayError("agent_failed", "The session was closed");
  }

  /** Gives an agent that does not open the session any more back to the pool, once. */
  async #giveBack(waking: Waking): Promise<void> {
    const { host } = waking;
    waking.host = undefined;
    if (host !== undefined) await this.#options.agents.giveBack(host);
  }

  /**
   * Resumes or loads the session, depending on the agent's capabilities. The agent's replay is discarded, because the
   * journal has the history.
   */
  async #reopen(
    host: AgentHost,
    { agentSessionId, turns }: SessionState,
    opening: SessionOpening,
  ): Promise<OpenedSession> {
    const { openTimeoutMs: timeoutMs } = this.#options;
    const method = host.supports("resume") ? "session/resume" : host.supportsLoad ? "session/load" : undefined;
    if (method !== undefined) {
      host.bind(agentSessionId, { ...discard, mcpServer: (id) => this.#options.sink.mcpServer(id) });
      try {
        const opened = await host.request(
          method,
          { ...host.openingParams(opening), sessionId: agentSessionId },
          // In `decode`, because messages that follow the response are not part of the replay.
          { timeoutMs, decode: (response) => this.#opened(host, agentSessionId, response, false) },
        );
        return opened as OpenedSession;
      } catch (error) {
        host.unbind(agentSessionId);
        this.#assertNotReleased();
        // Agents save a session with its first turn. A session without a turn has no content, so a new session can
        // replace it.
        if (turns > 0 || !isRpcError(error)) throw this.#lostOr(error);
      }
    }
    if (turns > 0) throw this.#lost("The agent has ended, and can't open its sessions again");
    try {
      const { sessionId, response } = await host.newSession(host.openingParams(opening), timeoutMs);
      return this.#opened(host, sessionId, response, true);
    } finally {
      host.openingDone();
    }
  }

  /**
   * Returns the error `session_lost` if the agent no longer knows the session. Returns any other error unchanged,
   * because it may be temporary.
   */
  #lostOr(error: unknown): unknown {
    if (!isRpcError(error)) return error;
    return forgotten.has(error.code) ? this.#lost("The agent no longer knows the session", error.toJSON()) : error;
  }

  #lost(message: string, agentError?: ErrorObject): unknown {
    this.#options.onLost(message);
    return gatewayError("session_lost", message, { data: { ...(agentError && { agentError }) } });
  }
}

/** The error codes with which agents respond to `session/load` or `session/resume` of an unknown session. */
const forgotten: ReadonlySet<number> = new Set([-32002, JsonRpcErrorCode.methodNotFound]);

const discard: Omit<AgentSink, "mcpServer"> = {
  notification: () => {},
  request: () => Promise.reject(gatewayError("agent_failed", "The session is being opened")),
};
