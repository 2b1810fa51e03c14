import type { DiagnosticListener, Transport } from "@acp-kit/jsonrpc";
import type { GatewayClock } from "../clock.js";
import type { Scope } from "../engine/session-record.js";
import { gatewayError, limitReached } from "../gateway-error.js";
import { scopeName } from "../principal.js";
import type { SessionOpening } from "../session/command.js";
import { AgentHost, type AgentHostOptions, type AgentProfile } from "./agent-host.js";
import { StartRate } from "./start-rate.js";

/** The principal and the session for which an agent is started. */
export interface AgentRequest {
  readonly principal: Scope;
  /**
   * The session that the agent will open. `undefined` for an agent that the gateway starts in advance, or to read its capabilities. This
   * agent gets a session later if the option `warm` is set, if `agentPer` is `"principal"`, or after a login.
   */
  readonly session: SessionOpening | undefined;
}

/**
 * Starts an agent and returns its transport, such as the result of `spawnAgent` of `@acp-kit/stdio/node`, or one end of
 * `linkedTransports`.
 */
export type StartAgent = (request: AgentRequest) => Transport | PromiseLike<Transport>;

/** Options of an {@link AgentPool}. */
export interface AgentPoolOptions extends Omit<AgentHostOptions, "onDiagnostic"> {
  readonly start: StartAgent;
  readonly isShared: boolean;
  readonly warm: number;
  /** The maximum number of running agents of one principal. If another agent is needed, the pool ends the agent of the session that has been idle longest. */
  readonly maxAgents: number;
  /** The maximum number of agents that the pool starts within a minute, for one principal. */
  readonly maxAgentStarts: number;
  /** How long the pool keeps an agent without a session, in milliseconds. */
  readonly idleAgentMs: number;
  readonly clock: GatewayClock;
  readonly onDiagnostic: DiagnosticListener | undefined;
  readonly onStarted: (principal: Scope) => void;
  readonly onEnded: (principal: Scope) => void;
}

/** The agents of one principal. */
interface Household {
  readonly principal: Scope;
  profile: AgentProfile | undefined;
  probe: Promise<AgentProfile> | undefined;
  /** The agent that all sessions share. */
  shared: Promise<AgentHost> | undefined;
  /** Agents without a session, oldest first. */
  readonly idle: AgentHost[];
  /** Functions that end the agents of idle sessions. The session that has been idle longest comes first. */
  readonly endings: Set<EndIdle>;
  readonly rate: StartRate;
  running: number;
  warming: number;
}

/** Ends the agent of an idle session. Does nothing and resolves with `false` if no other agent could open the session again. */
type EndIdle = () => Promise<boolean>;

/** Starts and ends agents. With the option `warm`, the pool starts agents before a session needs them. Two principals never share an agent. */
export class AgentPool {
  readonly #options: AgentPoolOptions;
  readonly #households = new Map<string, Household>();
  readonly #hosts = new Set<AgentHost>();
  #isClosed = false;

  constructor(options: AgentPoolOptions) {
    this.#options = options;
  }

  /** Returns the response of a principal's agent to `initialize`. The first call starts an agent. */
  describe(principal: Scope): Promise<AgentProfile> {
    const household = this.#household(principal);
    if (household.profile !== undefined) return Promise.resolve(household.profile);
    household.probe ??= this.#probe(household).finally(() => {
      household.probe = undefined;
    });
    return household.probe;
  }

  /** Returns an agent without a session, for a login. The principal's next session uses this agent. */
  async forLogin(principal: Scope): Promise<AgentHost> {
    const household = this.#household(principal);
    if (this.#options.isShared) return this.#shared(household, undefined);
    const host = this.#takeIdle(household) ?? (await this.#start(household, undefined));
    this.#keep(household, host);
    return host;
  }

  /** Returns an agent for a session. Call {@link giveBack} when the session no longer uses the agent. */
  async take(principal: Scope, session: SessionOpening): Promise<AgentHost> {
    const household = this.#household(principal);
    if (this.#options.isShared) return this.#shared(household, session);
    const host = this.#takeIdle(household) ?? (await this.#start(household, session));
    this.#warm(household);
    return host;
  }

  /** Reports that a session no longer uses the agent. An agent that serves only one session then ends. */
  async giveBack(host: AgentHost): Promise<void> {
    if (!this.#options.isShared || host.sessions === 0) await host.close();
  }

  /** Reports that the agent of a session is idle: the pool may call `end` when the principal needs another agent. The returned function withdraws the report. */
  mayEnd(principal: Scope, end: EndIdle): () => void {
    const { endings } = this.#household(principal);
    endings.add(end);
    return () => void endings.delete(end);
  }

  /** Ends every agent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#hosts].map((host) => host.close()));
  }

  #household(principal: Scope): Household {
    const name = scopeName(principal);
    const known = this.#households.get(name);
    if (known !== undefined) return known;
    const { tenant, user } = principal;
    const household: Household = {
      principal: { tenant, user },
      profile: undefined,
      probe: undefined,
      shared: undefined,
      idle: [],
      endings: new Set(),
      rate: new StartRate(this.#options.maxAgentStarts),
      running: 0,
      warming: 0,
    };
    this.#households.set(name, household);
    return household;
  }

  async #probe(household: Household): Promise<AgentProfile> {
    const { isShared, warm } = this.#options;
    const host = isShared ? await this.#shared(household, undefined) : await this.#start(household, undefined);
    if (!isShared && warm > 0) this.#keep(household, host);
    else if (!isShared) void host.close();
    return host.profile;
  }

  async #shared(household: Household, session: SessionOpening | undefined): Promise<AgentHost> {
    household.shared ??= this.#startShared(household, session);
    const host = await household.shared;
    if (host.isOpen) return host;
    await host.closed; // the processes of this agent are still ending
    return this.#shared(household, session);
  }

  #startShared(household: Household, session: SessionOpening | undefined): Promise<AgentHost> {
    const started = this.#start(household, session);
    const forget = (): void => {
      if (household.shared === started) household.shared = undefined;
    };
    started.then((host) => void host.closed.then(forget), forget);
    return started;
  }

  #takeIdle({ idle }: Household): AgentHost | undefined {
    for (let host = idle.shift(); host !== undefined; host = idle.shift()) if (host.isOpen) return host;
    return undefined;
  }

  #keep({ idle }: Household, host: AgentHost): void {
    if (!idle.includes(host)) idle.push(host);
    this.#options.clock.after(this.#options.idleAgentMs, () => {
      const at = idle.indexOf(host);
      if (at === -1) return;
      idle.splice(at, 1);
      void host.close();
    });
  }

  #warm(household: Household): void {
    if (this.#isClosed || household.idle.length + household.warming >= this.#options.warm) return;
    household.warming += 1;
    this.#start(household, undefined)
      .then((host) => this.#keep(household, host))
      .catch(() => {}) // the next session that needs an agent gets the error
      .finally(() => {
        household.warming -= 1;
      });
  }

  async #makeRoom({ endings }: Household): Promise<boolean> {
    for (const end of [...endings]) if (await end()) return true;
    return false;
  }

  async #start(household: Household, session: SessionOpening | undefined): Promise<AgentHost> {
    const { start, maxAgents, maxAgentStarts, clock, onStarted, onEnded } = this.#options;
    const { principal } = household;
    while (household.running >= maxAgents && (await this.#makeRoom(household)));
    if (this.#isClosed) throw gatewayError("draining", "The server is being shut down");
    if (household.running >= maxAgents) throw limitReached("maxAgents", `At most ${maxAgents} agents may run at once`);
    const waitMs = household.rate.start(clock.now());
    if (waitMs > 0)
      throw limitReached("maxAgentStarts", `At most ${maxAgentStarts} agents may be started within a minute`, waitMs);
    household.running += 1;
    let host: AgentHost;
    try {
      const transport = await start({ principal, session });
      host = await AgentHost.start(transport, this.#options);
    } catch (error) {
      household.running -= 1;
      throw error;
    }
    this.#hosts.add(host);
    household.profile ??= host.profile;
    onStarted(principal);
    void host.closed.then(() => {
      this.#hosts.delete(host);
      household.running -= 1;
      onEnded(principal);
    });
    if (this.#isClosed) {
      await host.close();
      throw gatewayError("draining", "The server is being shut down");
    }
    return host;
  }
}
