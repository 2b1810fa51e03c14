import { type AgentLedger, type AgentProcess, spawnAgent } from "@acp-kit/stdio/node";
import type { AgentCommand } from "../agent-argument.js";
import { detachedText } from "../detached-text.js";
import { errorText } from "../error-text.js";
import { hideInLines } from "../hide-secrets.js";
import type { Host } from "../host.js";
import { killTree } from "../kill-tree.js";
import type { Log } from "../log.js";
import { processLedger } from "../process-ledger.js";
import { tokenVariable } from "../remote-options.js";

/** The agents of a server, a process for each connection. */
export class AgentPool {
  readonly #agent: AgentCommand;
  readonly #cwd: string;
  readonly #host: Host;
  readonly #log: Log;
  readonly #ledger: AgentLedger | undefined;
  readonly #running = new Set<AgentProcess>();
  readonly #reaped: Promise<unknown>;
  #number = 0;

  constructor(agent: AgentCommand, cwd: string, host: Host, log: Log) {
    this.#agent = agent;
    this.#cwd = cwd;
    this.#host = host;
    this.#log = log;
    this.#ledger = processLedger(host);
    // What an earlier server left that was killed is no reason not to serve.
    this.#reaped = Promise.resolve(this.#ledger?.reap()).catch(() => {});
  }

  /** Starts the agent of a connection, which closes it at its end. */
  start(): AgentProcess {
    this.#number += 1;
    const number = this.#number;
    const hide = hideInLines(this.#host);
    const child = spawnAgent({
      ...this.#agent,
      cwd: this.#cwd,
      env: { [tokenVariable]: undefined }, // the server's secret, which is none of the agent's business
      onStderr: (line) => this.#log.debug(`agent ${number}: ${hide(line)}`),
      onDetachedProcesses: (processes) => this.#log.warn(`agent ${number}: ${detachedText(processes)}`),
      ...(this.#ledger !== undefined && { ledger: this.#ledger }),
    });
    this.#running.add(child);
    this.#log.info(`agent ${number}: started`);
    void child.exited.then(({ error }) => {
      this.#running.delete(child);
      if (error === undefined) this.#log.info(`agent ${number}: its process ended with its connection`);
      else this.#log.warn(`agent ${number}: ${errorText(error)}`);
    });
    return child;
  }

  /** Ends all, in good order. Never rejects. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#running, (child) => child.close()));
    await this.#reaped;
  }

  /** Ends all at once, without asking. */
  kill(): void {
    for (const child of this.#running) killTree(child.pid);
  }
}
