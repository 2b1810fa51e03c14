import type { DiagnosticListener, Transport } from "@acp-kit/jsonrpc";
import type { GatewayClock } from "../clock.js";
import type { Scope } from "../engine/session-record.js";
import { gatewayError, limitReached } from "../gateway-error.js";
import { scopeName } from "../principal.js";
import type { SessionOpening } from "../session/command.js";
import { AgentHost, type AgentHostOptions, type AgentProfile } from "./agent-host.js";
import { StartRate } from "./start-rate.js";

/** What an agent is started for. */
export interface AgentRequest {
  readonly principal: Scope;
  /**
   * The session that it will have. `undefined` for an agent that is started ahead, or to learn what it advertises: such an agent
   * gets a session only with `warm` agents, shared agents, or after a login.
   */
  readonly session: SessionOpening | undefined;
}

/** Starts an agent: `spawnAgent` of `@acp-kit/stdio/node`, or one end of `linkedTransports` with an agent at the other. */
export type StartAgent = (request: AgentRequest) => Transport | PromiseLike<Transport>;

/** How agents are kept. */
export interface AgentPoolOptions extends Omit<AgentHostOptions, "onDiagnostic"> {
  readonly start: StartAgent;
  readonly isShared: boolean;
  readonly warm: number;
  /** Agents that one principal may have running at once. Beyond, the session that has been idle longest goes to sleep. */
  readonly maxAgents: number;
  /** Agents of one principal that may be started within a minute. */
  readonly maxAgentStarts: number;
  /** How long an agent without a session is kept. */
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
  /** End the agents of idle sessions, longest idle first. */
  readonly endings: Set<EndIdle>;
  readonly rate: StartRate;
  running: number;
  warming: number;
}

/** Ends the agent of an idle session, and resolves with whether it could. */
type EndIdle = () => Promise<boolean>;

/** Starts agents, keeps some ahead of their use, and ends them. Principals never share an agent. */
export class AgentPool {
  readonly #options: AgentPoolOptions;
  readonly #households = new Map<string, Household>();
  readonly #hosts = new Set<AgentHost>();
  #isClosed = false;

  constructor(options: AgentPoolOptions) {
    this.#options = options;
  }

  /** What the agent of a principal responds to `initialize`. Starts one the first time. */
  describe(principal: Scope): Promise<AgentProfile> {
    const household = this.#household(principal);
    if (household.profile !== undefined) return Promise.resolve(household.profile);
    household.probe ??= this.#probe(household).finally(() => {
      household.probe = undefined;
    });
    return household.probe;
  }

  /** An agent without a session, for a login. It gets the principal's next session. */
  async forLogin(principal: Scope): Promise<AgentHost> {
    const household = this.#household(principal);
    if (this.#options.isShared) return this.#shared(household, undefined);
    const host = this.#takeIdle(household) ?? (await this.#start(household, undefined));
    this.#keep(household, host);
    return host;
  }

  /** An agent for a session. Give it back with {@link giveBack}. */
  async take(principal: Scope, session: SessionOpening): Promise<AgentHost> {
    const household = this.#household(principal);
    if (this.#options.isShared) return this.#shared(household, session);
    const host = this.#takeIdle(household) ?? (await this.#start(household, session));
    this.#warm(household);
    return host;
  }

  /** A session has left this agent. An agent that is not shared ends with its session. */
  async giveBack(host: AgentHost): Promise<void> {
    if (!this.#options.isShared || host.sessions === 0) await host.close();
  }

  /** The agent of a session is idle: it may end when the principal needs another one. The returned function takes that back. */
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

  #shared(household: Household, session: SessionOpening | undefined): Promise<AgentHost> {
    if (household.shared === undefined) {
      const started = this.#start(household, session);
      household.shared = started;
      const forget = (): void => {
        if (household.shared === started) household.shared = undefined;
      };
      started.then((host) => void host.closed.then(forget), forget);
    }
    return household.shared;
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
      .catch(() => {}) // the session that needs one will report it
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
