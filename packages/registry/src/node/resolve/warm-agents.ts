import { type AgentConnection, type ConnectAgentOptions, connectAgent } from "@acp-kit/client";
import { checkOptions, type OptionKinds, onAbort } from "@acp-kit/protocol/internal";
import { type SpawnAgentOptions, spawnAgent } from "@acp-kit/stdio/node";

/** Options of {@link warmAgents}. */
export interface WarmAgentsOptions {
  /** The number of agents to keep ready. Default: 1. */
  readonly size?: number;
  /** Options of each connection: handlers, permissions. */
  readonly connect?: ConnectAgentOptions;
}

/**
 * The pause in milliseconds before the replacement of an agent that failed to start, or ended before it was taken. Each
 * further failure doubles the pause, until an agent is initialized.
 */
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;

/** Keeps agents that are initialized before the application needs them. {@link warmAgents} creates it. */
export class WarmAgents implements AsyncDisposable {
  readonly #agent: SpawnAgentOptions;
  readonly #options: WarmAgentsOptions;
  readonly #size: number;
  /** The agents that were not taken, each with the controller that ends it while it starts. */
  readonly #ready = new Map<Promise<AgentConnection>, AbortController>();
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @internal Use {@link warmAgents}. */
  constructor(agent: SpawnAgentOptions, options: WarmAgentsOptions) {
    const { size = 1 } = options;
    if (!Number.isSafeInteger(size) || size < 1)
      throw new TypeError(`warmAgents: size must be a whole number of 1 or more, not ${size}.`);
    this.#agent = agent;
    this.#options = options;
    this.#size = size;
    this.#fill();
  }

  /**
   * Returns an initialized agent and starts the next one. If no agent is ready, waits for one that is starting. The
   * caller must close the returned agent.
   *
   * @throws the errors of `connectAgent`; `TypeError` after {@link close}.
   */
  async take(): Promise<AgentConnection> {
    if (this.#isClosed) throw new TypeError("WarmAgents: take() was called after close().");
    const [first = this.#start()[0]] = this.#ready.keys();
    this.#ready.delete(first);
    this.#fill();
    return await first;
  }

  /** Resolves when the current agents are initialized or have failed. Never rejects. */
  get ready(): Promise<void> {
    return Promise.allSettled(this.#ready.keys()).then(() => {});
  }

  /** Ends the agents that were not taken, also while they start. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const ready = [...this.#ready];
    this.#ready.clear();
    const end = async ([starting, stop]: (typeof ready)[number]): Promise<void> => {
      stop.abort(new Error("WarmAgents: close() was called before the agent was taken."));
      await starting.then((connection) => connection.close()).catch(() => {});
    };
    await Promise.all(ready.map(end));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #fill(): void {
    while (this.#ready.size < this.#size && this.#timer === undefined && !this.#isClosed)
      this.#ready.set(...this.#start());
  }

  #start(): [Promise<AgentConnection>, AbortController] {
    const { connect } = this.#options;
    const stop = new AbortController();
    const ignore = onAbort(connect?.signal, () => stop.abort(connect?.signal?.reason));
    const starting = connectAgent(spawnAgent(this.#agent), { ...connect, signal: stop.signal });
    const onEnd = (): void => {
      ignore();
      this.#ended(starting);
    };
    starting.then((connection) => {
      this.#failures = 0;
      void connection.closed.then(onEnd);
    }, onEnd);
    return [starting, stop];
  }

  /** Schedules the replacement of an agent that ended before {@link take} returned it. */
  #ended(starting: Promise<AgentConnection>): void {
    if (!this.#ready.delete(starting) || this.#isClosed || this.#timer !== undefined) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** this.#failures, maxPauseMs);
    this.#failures += 1;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#fill();
    }, pauseMs);
    this.#timer.unref();
  }
}

/**
 * Starts agents before the application needs them, so that {@link WarmAgents.take} returns immediately. Each agent
 * needs the memory of a running process.
 *
 * @param agent - the result of `resolveAgent`, or the options of `spawnAgent`.
 * @throws {TypeError} for a size below 1.
 */
export function warmAgents(agent: SpawnAgentOptions, options: WarmAgentsOptions = {}): WarmAgents {
  checkOptions("warmAgents", options, optionKinds);
  return new WarmAgents(agent, options);
}

const optionKinds: OptionKinds<WarmAgentsOptions> = { size: "value", connect: "value" };
