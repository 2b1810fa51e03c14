import { EngineError } from "@acp-kit/gateway/engine";
import type { Failovers } from "./failovers.js";
import type { EngineFaults } from "./sim-engine.js";
import type { SimProcess, World } from "./world.js";

/** How long a replica waits for a reply of the engine's server. */
const TIMEOUT_MS = 500;
/** How late a call may be executed. */
const MAX_LATE_MS = 3 * TIMEOUT_MS;

/**
 * The network between one replica and the engine's server. A call or its reply may be lost, and a call may be executed
 * long after the replica's timeout. Calls on one connection are executed in order. After a timeout, the replica uses a
 * new connection; calls of the old connection may still arrive later. A failover loses notifications. During the
 * failover, calls fail or are executed later by the new primary.
 */
export class ModelLink {
  readonly #world: World;
  readonly #process: SimProcess;
  readonly #faults: EngineFaults;
  readonly #isOrdered: boolean;
  readonly #failovers: Failovers | undefined;
  #lastAt = 0;

  constructor(
    world: World,
    process: SimProcess,
    faults: EngineFaults,
    isOrdered: boolean,
    failovers: Failovers | undefined,
  ) {
    this.#failovers = failovers;
    this.#world = world;
    this.#process = process;
    this.#faults = faults;
    this.#isOrdered = isOrdered;
  }

  /**
   * Executes a call with the faults of the network.
   *
   * @param work executes the call; `isLate`: after the replica's timeout.
   */
  async call<Result>(what: string, work: (isLate: boolean) => Result): Promise<Result> {
    const { random } = this.#world;
    await this.#process.gate();
    const calledAt = this.#world.now();
    const [isLost, isReplyLost, isLate] = [this.#fails(), this.#fails(), this.#fails()];
    // During a failover, a failed renewal needs no record, because it is repeated soon
    const isDown = (this.#failovers?.upAt ?? 0) > calledAt;
    if (what.endsWith("renew") && (isLost || isReplyLost || isLate) && !isDown)
      this.#failovers?.incident(this.#process.name, "renewal lost");
    const failovers = this.#failovers?.count;
    let at = this.#world.now() + this.#delay() + (isLate ? random.int(0, MAX_LATE_MS) : 0);
    if (this.#isOrdered) this.#lastAt = at = Math.max(at, this.#lastAt);
    return new Promise<Result>((resolve, reject) => {
      const stop = this.#world.after(isLost ? random.int(0, TIMEOUT_MS) : TIMEOUT_MS, () => {
        this.#lastAt = 0;
        this.#process.run(() => reject(new EngineError("unavailable", "simulated")));
      });
      if (isLost) return;
      const perform = (): void => {
        const frozenMs = this.#faults.frozenUntil - this.#world.now();
        if (frozenMs > 0) return void this.#world.after(frozenMs, perform);
        const downMs = (this.#failovers?.upAt ?? 0) - this.#world.now();
        if (downMs > 0 && random.chance(0.5)) {
          stop();
          this.#lastAt = 0;
          return void this.#process.run(() => reject(new EngineError("unavailable", "simulated failover")));
        }
        // Lost with the connection to the old primary
        if (this.#failovers?.count !== failovers && random.chance(0.5)) return;
        const ageMs = this.#world.now() - calledAt;
        if (downMs > 0 && ageMs + downMs > MAX_LATE_MS) return; // a network does not delay a call for longer
        if (downMs > 0) return void this.#world.after(downMs + this.#delay(), perform);
        const settle = this.#perform(what, () => work(ageMs > TIMEOUT_MS), resolve, reject);
        if (isReplyLost) return;
        this.#world.after(this.#delay(), () => {
          stop();
          this.#process.run(settle);
        });
      };
      this.#world.after(at - this.#world.now(), perform);
    });
  }

  /** Calls a listener of this replica, unless the message is lost. */
  ring(listener: () => void): void {
    if (this.#world.random.chance(this.#faults.lostBell)) return;
    const failovers = this.#failovers?.count;
    this.#world.after(this.#delay(), () => {
      if (this.#failovers?.count === failovers) this.#process.run(listener);
    });
  }

  #perform<Result>(
    what: string,
    work: () => Result,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ): () => void {
    try {
      const result = work();
      this.#world.note(`${this.#process.name}: ${what} ${JSON.stringify(result)}`);
      return () => resolve(result);
    } catch (error) {
      return () => reject(error);
    }
  }

  #fails(): boolean {
    return this.#world.random.chance(this.#faults.failure / 3);
  }

  #delay(): number {
    return this.#world.random.int(0, this.#faults.maxDelayMs);
  }
}
