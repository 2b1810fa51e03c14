import { checkOptions, onAbort } from "@acp-kit/jsonrpc/internal";
import type { AgentProcess } from "./agent-process.js";
import { builtin } from "./builtins.js";
import { ProcessError } from "./process-error.js";
import { type RestartPolicy, restartDelay, restartPolicy } from "./restart-policy.js";
import { spawnAgent } from "./spawn-agent.js";
import { type SpawnAgentOptions, spawnOptionKinds } from "./spawn-options.js";

/** Options of {@link superviseAgent}: those of `spawnAgent`. */
export type SuperviseAgentOptions = SpawnAgentOptions;

/**
 * Creates a supervisor, which starts an agent when it is needed, and again after a crash: with delays that grow from
 * 0.5 to 10 s, and at most five times within a minute. It starts no process before the first `open()`.
 *
 * The supervisor restarts only the process. The client restores the protocol state: it calls `open()` for each
 * connection, sends `initialize` again and resumes or loads the sessions.
 */
export function superviseAgent(options: SuperviseAgentOptions): AgentSupervisor {
  checkOptions("superviseAgent", options, spawnOptionKinds, "", { isOpen: true });
  return new AgentSupervisor(options);
}

/** A supervised agent, which {@link superviseAgent} creates. */
export class AgentSupervisor implements AsyncDisposable {
  readonly #options: SuperviseAgentOptions;
  readonly #policy: RestartPolicy;
  readonly #closed = new AbortController();
  #current: AgentProcess | undefined;
  #opening: Promise<AgentProcess> | undefined;
  #starts = 0;
  #crashes: number[] = [];
  #lastError: ProcessError | undefined;

  /** @internal Use {@link superviseAgent}. */
  constructor(options: SuperviseAgentOptions, policy: Partial<RestartPolicy> = {}) {
    this.#options = options;
    this.#policy = { ...restartPolicy, ...policy };
  }

  /** The number of times that the agent was started. */
  get starts(): number {
    return this.#starts;
  }

  /**
   * Returns the running agent, or starts a new process if the agent has ended. Each process is the transport of one
   * connection; call `open()` again when the connection has ended. Before the supervisor starts a new process, it waits
   * until the old process group has ended, and then for the delay of the restart policy.
   *
   * @throws {ProcessError} `restart_budget` when the agent crashed too often; `cause` is the last crash. `open()` works
   * again when a minute has passed.
   * @throws {ProcessError} `aborted` when the supervisor was closed.
   */
  open(): Promise<AgentProcess> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Ends the agent and starts no further process. A second call has no effect, and the promise never rejects. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#opening?.catch(() => {});
    await this.#current?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #open(): Promise<AgentProcess> {
    this.#throwIfEnded();
    if (this.#current?.isOpen) return this.#current;
    await this.#current?.exited;
    const delayMs = restartDelay(this.#crashes, performance.now(), this.#policy);
    if (delayMs === undefined) throw this.#exhausted();
    if (delayMs > 0) {
      const { setTimeout: delay } = builtin("timers/promises");
      const ended = new AbortController();
      const removals = [this.#closed.signal, this.#options.signal].map((each) => onAbort(each, () => ended.abort()));
      await delay(delayMs, undefined, { signal: ended.signal }).catch(() => {});
      for (const remove of removals) remove();
    }
    this.#throwIfEnded();
    this.#starts += 1;
    this.#current = spawnAgent(this.#options);
    void this.#current.exited.then(({ error }) => {
      if (error !== undefined) this.#crashed(error);
    });
    return this.#current;
  }

  #crashed(error: ProcessError): void {
    this.#lastError = error;
    const now = performance.now();
    const { restartWindowMs } = this.#policy;
    this.#crashes = [...this.#crashes.filter((time) => now - time < restartWindowMs), now];
  }

  #exhausted(): ProcessError {
    const { command } = this.#options;
    const message = `The agent "${command}" crashed ${this.#crashes.length} times in a short time, so it is not restarted for now. The last crash: ${this.#lastError?.message}`;
    const { exitCode, signal, stderrTail } = this.#lastError ?? {};
    return new ProcessError("restart_budget", message, {
      command,
      exitCode,
      signal,
      stderrTail,
      cause: this.#lastError,
    });
  }

  #throwIfEnded(): void {
    const { command, signal } = this.#options;
    if (!this.#closed.signal.aborted && !signal?.aborted) return;
    throw new ProcessError("aborted", `The agent "${command}" is not started: its supervisor was closed.`, {
      command,
      cause: signal?.reason,
    });
  }
}
