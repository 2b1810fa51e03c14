import { Inconclusive } from "../verdict.js";
import { Waiters } from "../waiters.js";
import type { ClientProcess, ExitStatus } from "./client-process.js";
import type { ScriptedAgent } from "./scripted-agent.js";
import type { Turn } from "./turn.js";
import type { Call } from "./wire-event.js";

/** How long a client may take. */
export interface ClientSpeed {
  /** The time limit of a step, in milliseconds. */
  readonly stepTimeoutMs: number;
  /** A message counts as missing after this many milliseconds, a multiple of the client's slowest step. */
  readonly patienceMs: number;
}

/** The client of a scenario, the agents that it started, and its requests to them. */
export class ClientRun {
  /** In the order in which the client started them. */
  readonly agents: ScriptedAgent[] = [];
  /** The requests of the client, over all connections, in order. */
  readonly requests: Call[] = [];
  readonly #stepTimeoutMs: number;
  readonly #patienceMs: number;
  readonly #skip: (reason: string) => never;
  readonly #turns: Turn[] = [];
  readonly #waiters = new Waiters();
  #respondsToPrompts = false;
  #process: ClientProcess | undefined;
  #status: ExitStatus | undefined;

  constructor({ stepTimeoutMs, patienceMs }: ClientSpeed, skip: (reason: string) => never) {
    this.#stepTimeoutMs = stepTimeoutMs;
    this.#patienceMs = patienceMs;
    this.#skip = skip;
  }

  get process(): ClientProcess {
    if (!this.#process) throw new TypeError("The client has not been started.");
    return this.#process;
  }

  /** The exit of the client, if it has ended. */
  get status(): ExitStatus | undefined {
    return this.#status;
  }

  /** Returns the first agent. Skips the scenario if the client starts none. */
  async agent(): Promise<ScriptedAgent> {
    await this.until(() => this.agents.length > 0);
    return this.agents[0] ?? this.#skip(`The client started no agent${this.silence()}.`);
  }

  /**
   * Returns the first request of this method, also one that arrived before the call. Resolves with `undefined` if none
   * arrives in time, or if the client ends.
   */
  async request(method: string, timeoutMs?: number): Promise<Call | undefined> {
    const find = (): Call | undefined => this.requests.find((call) => call.method === method);
    await this.until(() => find() !== undefined, timeoutMs);
    return find();
  }

  /** Returns the next prompt; `undefined` if none arrives in time, or if the client ends. */
  async nextTurn(timeoutMs?: number): Promise<Turn | undefined> {
    await this.until(() => this.#turns.length > 0, timeoutMs);
    return this.#turns.shift();
  }

  /** Waits until the client ends by itself. Resolves with `undefined` if it doesn't end in time. */
  async exit(timeoutMs?: number): Promise<ExitStatus | undefined> {
    await this.until(() => false, timeoutMs);
    return this.#status;
  }

  /** Waits until a condition is true, the time is over, or the client has ended. */
  until(holds: () => boolean, timeoutMs: number = this.#stepTimeoutMs): Promise<void> {
    return this.#waiters.until(() => holds() || this.#status !== undefined, timeoutMs);
  }

  /**
   * Called after the time limit of a step, if a message or the exit of the client did not come. Waits some more time
   * for it. If it still does not come, the promise resolves, and the caller fails the scenario.
   *
   * @throws {Inconclusive} if it comes late, because slowness breaks no rule.
   */
  async waitForLate(what: string, hasCome: () => boolean): Promise<void> {
    const restMs = this.#patienceMs - this.#stepTimeoutMs;
    if (restMs <= 0 || this.#status) return;
    await this.until(hasCome, restMs);
    if (!hasCome()) return;
    throw new Inconclusive(
      `too slow for these limits: ${what} took longer than ${this.#stepTimeoutMs} ms; --step sets a longer limit`,
    );
  }

  /** As {@link waitForLate}, for the exit of the client. */
  waitForLateExit(): Promise<void> {
    return this.waitForLate("the exit", () => this.#status !== undefined);
  }

  /** As {@link waitForLate}, for the next prompt. */
  waitForLateTurn(): Promise<void> {
    return this.waitForLate("the prompt", () => this.#turns.length > 0);
  }

  /** Describes why the client sends no further messages, for the end of a sentence. */
  silence(): string {
    if (!this.#status) return "";
    const { code, signal } = this.#status;
    return `; it ended with ${signal ?? `code ${code}`}${this.stderrTail()}`;
  }

  /** Quotes the end of the client's stderr, for the end of a sentence. */
  stderrTail(): string {
    const text = this.#process?.stderr().trim() ?? "";
    return text === "" ? "" : `, and its stderr ends with ${JSON.stringify(text.slice(-300))}`;
  }

  /** @internal */
  launched(process: ClientProcess): void {
    this.#process = process;
    void process.exited.then((status) => {
      this.#status = status;
      for (const agent of this.agents) agent.log.event(`the client has ended with ${status.signal ?? status.code}`);
      this.#waiters.wake();
    });
  }

  /** @internal */
  add(agent: ScriptedAgent): void {
    this.agents.push(agent);
    this.#waiters.wake();
  }

  /** @internal */
  requestCame(call: Call): void {
    this.requests.push(call);
    this.#waiters.wake();
  }

  /** Responds to every prompt that {@link nextTurn} has not returned, now and later, so that a client continues. */
  respondToOtherPrompts(): void {
    this.#respondsToPrompts = true;
    for (const turn of this.#turns.splice(0)) turn.end();
  }

  /** @internal */
  turnCame(turn: Turn): void {
    if (this.#respondsToPrompts) turn.end();
    else this.#turns.push(turn);
    this.#waiters.wake();
  }

  /** @internal Ends the turns, then the client and its agents. */
  async close(): Promise<void> {
    for (const agent of this.agents) for (const turn of agent.turns) turn.end();
    this.#process?.closeStdin();
    await this.#process?.kill();
    for (const agent of this.agents) agent.wire.crash();
  }
}
