import { mcpBridge } from "@acp-kit/mcp/node";
import type { Transport } from "@acp-kit/protocol";
import type { AcpProxy } from "@acp-kit/proxy";
import { type AgentLedger, type AgentProcess, spawnAgent } from "@acp-kit/stdio/node";
import { detachedText } from "../detached-text.js";
import { errorText } from "../error-text.js";
import { hideInLines } from "../hide-secrets.js";
import type { Host } from "../host.js";
import { killTree } from "../kill-tree.js";
import type { Log } from "../log.js";
import { processLedger, reapAgents } from "../process-ledger.js";
import { tokenVariable } from "../remote-options.js";
import { behindProxies } from "../use-proxies.js";
import type { ServedCommand } from "./serve-settings.js";

/** The command of a server's agents, and the ACP proxies in front of each of them. */
export interface PooledCommand extends ServedCommand {
  readonly proxies: readonly AcpProxy[];
}

/** The agent processes of a server. */
export class AgentPool {
  readonly #agent: PooledCommand;
  readonly #host: Host;
  readonly #log: Log;
  /** Whether an agent belongs to a connection or to a session, and ends with it. Used only in log messages. */
  readonly #owner: "connection" | "session";
  readonly #ledger: AgentLedger | undefined;
  readonly #running = new Set<AgentProcess>();
  readonly #reaped: Promise<unknown>;
  readonly #bridge: (agent: Transport) => Transport;
  #number = 0;

  constructor(agent: PooledCommand, owner: "connection" | "session", host: Host, log: Log) {
    this.#agent = agent;
    this.#owner = owner;
    this.#host = host;
    this.#log = log;
    this.#bridge = mcpBridge({ onDiagnostic: ({ message }) => log.warn(message) });
    this.#ledger = processLedger(host);
    this.#reaped = reapAgents(this.#ledger, log);
    host.redactor?.learn({ env: agent.env }); // the agent may log its keys
  }

  /** The number of agents that run, including those that are ending. */
  get size(): number {
    return this.#running.size;
  }

  /** Starts an agent in a folder. The caller closes it. */
  start(cwd: string = this.#agent.cwd): Transport {
    this.#number += 1;
    const number = this.#number;
    const hide = hideInLines(this.#host);
    const { env, inheritEnv, identity: _, proxies, ...agent } = this.#agent;
    const child = spawnAgent({
      ...agent,
      cwd,
      env: { [tokenVariable]: undefined, ...env }, // the agent must not get the server's token
      ...(inheritEnv !== undefined && { inheritEnv: inheritEnv.filter((name) => name !== tokenVariable) }),
      onStderr: (line) => this.#log.debug(`agent ${number}: ${hide(line)}`),
      onDetachedProcesses: (processes) => this.#log.warn(`agent ${number}: ${detachedText(processes)}`),
      ...(this.#ledger !== undefined && { ledger: this.#ledger }),
    });
    this.#running.add(child);
    this.#log.info(`agent ${number}: started`);
    void child.exited.then(({ error }) => {
      this.#running.delete(child);
      if (error === undefined) this.#log.info(`agent ${number}: exited after its ${this.#owner} ended`);
      else this.#log.warn(`agent ${number}: ${errorText(error)}`);
    });
    return behindProxies(this.#bridge(child), proxies);
  }

  /** Resolves when the agents that a killed server left running have ended. */
  get reaped(): Promise<unknown> {
    return this.#reaped;
  }

  /** Ends all agents in an orderly way. Never rejects. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#running, (child) => child.close()));
    await this.#reaped;
  }

  /** Kills all agents immediately. */
  kill(): void {
    for (const child of this.#running) killTree(child.pid);
  }
}
