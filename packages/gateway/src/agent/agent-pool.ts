import type { Transport } from "@acp-kit/jsonrpc";
import type { DiagnosticListener } from "@acp-kit/jsonrpc/internal";
import type { GatewayClock } from "../clock.js";
import type { Scope } from "../engine/session-record.js";
import { gatewayError, limitReached } from "../gateway-error.js";
import type { McpServers } from "../mcp-servers.js";
import { scopeName } from "../principal.js";
import type { SessionOpening } from "../session/command.js";
import { AgentHost, type AgentHostOptions, type DescribedAgent } from "./agent-host.js";
import { StartRate } from "./start-rate.js";

/** The principal and the session for which an agent is started. */
export interface AgentRequest {
  readonly principal: Scope;
  /**
   * The session that the agent will open. `undefined` for an agent that the gateway starts in advance, or to read its
   * capabilities. This agent gets a session later if the option `warm` is set, if `agentPer` is `"principal"`, or after
   * a login.
   */
  readonly session: SessionOpening | undefined;
}

/**
 * Starts an agent and returns its transport, such as the result of `spawnAgent` of `@acp-kit/stdio/node`, or one end of
 * `linkedTransports`.
 */
export type StartAgent = (request: AgentRequest) => Transport | PromiseLike<Transport>;

/** Options of an {@link AgentPool}. */
export interface AgentPoolOptions extends Omit<AgentHostOptions, "onDiagnostic" | "callMcp"> {
  readonly start: StartAgent;
  readonly isShared: boolean;
  readonly warm: number;
  /**
   * The maximum number of running agents of one principal. If another agent is needed, the pool ends the agent of the
   * session that has been idle longest.
   */
  readonly maxAgents: number;
  /** The maximum number of agents that the pool starts within a minute, for one principal. */
  readonly maxAgentStarts: number;
  /** How long the pool keeps an agent without a session, in milliseconds. */
  readonly idleTimeoutMs: number;
  readonly clock: GatewayClock;
  /** The MCP servers of the clients. */
  readonly mcp: McpServers;
  readonly onDiagnostic: DiagnosticListener | undefined;
  readonly onStarted: (principal: Scope) => void;
  readonly onEnded: (principal: Scope) => void;
}

/** The agents of one principal. */
interface Household {
  readonly principal: Scope;
  described: DescribedAgent | undefined;
  probe: Promise<DescribedAgent> | undefined;
  /** The agent that all sessions share. */
  shared: Promise<AgentHost> | undefined;
  /** Agents without a session, oldest first. */
  readonly idle: AgentHost[];
  /** Functions that end the agents of idle sessions. The session that has been idle longest comes first. */
  readonly endings: Set<EndIdle>;
  readonly rate: StartRate;
  readonly hosts: Set<AgentHost>;
  /** The number of agents that run, also of those that are starting or ending. */
  running: number;
  warming: number;
}

/** Who uses an agent. */
interface AgentUse {
  /**
   * The number of sessions and logins that use the agent. A session counts from its creation on, before the agent has
   * responded.
   */
  users: number;
  /** Stops the timer that ends the agent; `undefined` while the timer does not run. */
  stopTimer: (() => void) | undefined;
}

/**
 * Ends the agent of an idle session. Does nothing and resolves with `false` if no other agent could open the session
 * again.
 */
type EndIdle = () => Promise<boolean>;

/**
 * Starts and ends agents. With the option `warm`, the pool starts agents before a session needs them. Two principals
 * never share an agent.
 */
export class AgentPool {
  readonly #options: AgentPoolOptions;
  readonly #households = new Map<string, Household>();
  readonly #hosts = new Map<AgentHost, AgentUse>();
  #isClosed = false;

  constructor(options: AgentPoolOptions) {
    this.#options = options;
  }

  /**
   * Returns the response of a principal's agent to `initialize`. The first call starts an agent. Later calls start the
   * missing agents of the option `warm`, because the principal's client will probably open a session.
   */
  describe(principal: Scope): Promise<DescribedAgent> {
    const household = this.#household(principal);
    if (household.described !== undefined) {
      this.#warm(household);
      return Promise.resolve(household.described);
    }
    household.probe ??= this.#probe(household).finally(() => {
      household.probe = undefined;
    });
    return household.probe;
  }

  /**
   * Sends a request that belongs to no session, such as a login, to an agent. The principal's next session uses this
   * agent.
   */
  async login(principal: Scope, method: string, params: object): Promise<unknown> {
    const household = this.#household(principal);
    const { idle } = household;
    const known = this.#options.isShared ? undefined : idle.find((host) => host.isOpen);
    const host = await this.#used(household, undefined, known);
    if (!this.#options.isShared && !idle.includes(host)) idle.push(host);
    try {
      const index = loginMethods.findIndex((names) => names.includes(method));
      return await host.request(loginMethods[index]?.[host.version - 1] ?? method, params);
    } finally {
      this.#unused(household, host);
    }
  }

  /** Returns an agent for a session. Call {@link giveBack} when the session no longer uses the agent. */
  async take(principal: Scope, session: SessionOpening): Promise<AgentHost> {
    const household = this.#household(principal);
    const idle = this.#options.isShared ? undefined : this.#takeIdle(household);
    const host = await this.#used(household, session, idle);
    this.#warm(household);
    return host;
  }

  /** Reports that a session no longer uses the agent. The agent ends when nothing uses it any more. */
  async giveBack(host: AgentHost): Promise<void> {
    const use = this.#hosts.get(host);
    if (use !== undefined) use.users -= 1;
    if (use === undefined || use.users <= 0) await host.close();
  }

  /**
   * Reports that the agent of a session is idle: the pool may call `end` when the principal needs another agent. The
   * returned function withdraws the report.
   */
  mayEnd(principal: Scope, end: EndIdle): () => void {
    const { endings } = this.#household(principal);
    endings.add(end);
    return () => void endings.delete(end);
  }

  /** Ends every agent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#hosts.keys()].map((host) => host.close()));
  }

  #household(principal: Scope): Household {
    const name = scopeName(principal);
    const known = this.#households.get(name);
    if (known !== undefined) return known;
    const { tenant, user } = principal;
    const household: Household = {
      principal: { tenant, user },
      described: undefined,
      probe: undefined,
      shared: undefined,
      idle: [],
      endings: new Set(),
      rate: new StartRate(this.#options.maxAgentStarts),
      hosts: new Set(),
      running: 0,
      warming: 0,
    };
    this.#households.set(name, household);
    return household;
  }

  async #probe(household: Household): Promise<DescribedAgent> {
    const { isShared, warm } = this.#options;
    const host = await this.#used(household, undefined);
    if (!isShared && warm > 0) household.idle.push(host);
    if (isShared || warm > 0) this.#unused(household, host);
    else void host.close();
    this.#warm(household);
    return host.described;
  }

  /** Returns `known`, the shared agent or a new agent, and counts the caller as its user. */
  async #used(household: Household, session: SessionOpening | undefined, known?: AgentHost): Promise<AgentHost> {
    const { isShared } = this.#options;
    if (isShared) household.shared ??= this.#startShared(household, session);
    const host = known ?? (await (household.shared ?? this.#start(household, session)));
    const use = this.#hosts.get(host);
    if (isShared && (use === undefined || !host.isOpen)) {
      await host.closed; // the processes of this agent are still ending
      return this.#used(household, session);
    }
    if (use !== undefined) {
      use.users += 1;
      use.stopTimer?.();
      use.stopTimer = undefined;
    }
    return host;
  }

  /** Counts a user of an agent less. If nothing else uses the agent, it stays for `idleTimeoutMs`. */
  #unused({ idle }: Household, host: AgentHost): void {
    const use = this.#hosts.get(host);
    if (use === undefined) return;
    use.users -= 1;
    if (use.users > 0) return;
    use.stopTimer = this.#options.clock.after(this.#options.idleTimeoutMs, () => {
      removeFrom(idle, host);
      void host.close();
    });
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

  /**
   * Starts the missing agents of the option `warm`. Ends no idle session for them: its agent is worth as much as an
   * agent without a session.
   */
  #warm(household: Household): void {
    const { isShared, warm, maxAgents } = this.#options;
    const wanted = isShared ? Math.min(warm, 1) : warm;
    const ready = (): number => (isShared && household.shared !== undefined ? 1 : household.idle.length);
    while (!this.#isClosed && ready() + household.warming < wanted && household.running < maxAgents) {
      household.warming += 1;
      this.#used(household, undefined)
        .then((host) => {
          if (!isShared) household.idle.push(host);
          this.#unused(household, host);
        })
        .catch(() => {}) // the next session that needs an agent gets the error
        .finally(() => {
          household.warming -= 1;
        });
    }
  }

  /**
   * Waits for an agent that is ending, or ends the agent of an idle session. Resolves with `false` if there is neither.
   */
  async #makeRoom({ hosts, endings }: Household): Promise<boolean> {
    const ending = [...hosts].find((host) => !host.isOpen);
    await ending?.closed;
    if (ending !== undefined) return true;
    for (const end of [...endings]) if (await end()) return true;
    return false;
  }

  async #start(household: Household, session: SessionOpening | undefined): Promise<AgentHost> {
    const { maxAgents, maxAgentStarts, clock, onStarted, onEnded } = this.#options;
    const { principal } = household;
    while (household.running >= maxAgents && (await this.#makeRoom(household)));
    if (this.#isClosed) throw gatewayError("draining", "The server is being shut down");
    if (household.running >= maxAgents) throw limitReached("maxAgents", `At most ${maxAgents} agents may run at once`);
    const waitMs = household.rate.start(clock.now());
    if (waitMs > 0)
      throw limitReached("maxAgentStarts", `At most ${maxAgentStarts} agents may be started within a minute`, waitMs);
    household.running += 1;
    const host = await this.#connect(household, session).catch((error: unknown) => {
      household.running -= 1;
      throw error;
    });
    let isStarted = false;
    household.hosts.add(host);
    // Before the agent is initialized, so that close() ends it too
    this.#hosts.set(host, { users: 0, stopTimer: undefined });
    void host.closed.then(() => {
      this.#hosts.get(host)?.stopTimer?.();
      this.#hosts.delete(host);
      household.hosts.delete(host);
      removeFrom(household.idle, host);
      household.running -= 1;
      if (isStarted) onEnded(principal);
    });
    await host.initialize();
    household.described = host.described; // the latest, because the program may have been updated
    isStarted = true;
    onStarted(principal);
    return host;
  }

  async #connect({ principal }: Household, session: SessionOpening | undefined): Promise<AgentHost> {
    const transport = await this.#options.start({ principal, session });
    const callMcp: AgentHostOptions["callMcp"] = (call) => this.#options.mcp.call(principal, call);
    if (!this.#isClosed) return new AgentHost(transport, { ...this.#options, callMcp });
    await transport.close();
    throw gatewayError("draining", "The server is being shut down");
  }
}

/** The names of the methods for logins in version 1 and in version 2. */
export const loginMethods: readonly (readonly [v1: string, v2: string])[] = [
  ["authenticate", "auth/login"],
  ["logout", "auth/logout"],
];

function removeFrom<Item>(items: Item[], item: Item): void {
  const at = items.indexOf(item);
  if (at !== -1) items.splice(at, 1);
}
