import { type Engine, EngineError, type Membership, type SessionKey } from "@acp-kit/gateway/engine";
import type { History } from "./history.js";
import type { SimProcess, World } from "./world.js";

/** The faults of an engine that its contract allows. */
export interface EngineFaults {
  /** The chance that a call fails before or after its execution. */
  failure: number;
  /** The chance that a message arrives twice. */
  duplicate: number;
  /** The chance that a watcher is not called. */
  lostBell: number;
  maxDelayMs: number;
  /** The time until which the engine is unavailable. */
  frozenUntil: number;
  /** The time until which the storage is full. */
  fullUntil: number;
}

/**
 * A simulated remote engine for one replica. It is slow, and at times unavailable. A call that has reached the engine
 * is executed, even if the replica is killed.
 */
export class SimEngine implements Engine {
  readonly #world: World;
  readonly #inner: Engine;
  readonly #process: SimProcess;
  readonly #faults: EngineFaults;
  readonly #history: History;
  #mailAt = 0;

  constructor(world: World, inner: Engine, process: SimProcess, faults: EngineFaults, history: History) {
    this.#world = world;
    this.#inner = inner;
    this.#process = process;
    this.#faults = faults;
    this.#history = history;
  }

  create: Engine["create"] = (scope, session) =>
    this.#call(async () => {
      this.#assertSpace();
      await this.#inner.create(scope, session);
    });
  find: Engine["find"] = (key) => this.#call(() => this.#inner.find(key));
  list: Engine["list"] = (scope, query) => this.#call(() => this.#inner.list(scope, query));
  count: Engine["count"] = (scope) => this.#call(() => this.#inner.count(scope));
  delete: Engine["delete"] = (key) => this.#call(() => this.#inner.delete(key));
  read: Engine["read"] = (key, after, limits) => this.#call(() => this.#inner.read(key, after, limits));
  close: Engine["close"] = async () => {};

  watch(key: SessionKey, onChange: () => void): () => void {
    return this.#inner.watch(key, () => {
      if (this.#world.random.chance(this.#faults.lostBell)) return;
      this.#world.after(this.#delay(), () => this.#process.run(onChange));
    });
  }

  join: Engine["join"] = async (options) => {
    const inner = await this.#inner.join({
      ...options,
      onMessage: (message) => this.#deliver(() => options.onMessage(message)),
    });
    const membership: Membership = {
      id: inner.id,
      acquire: (key, options) => this.#call(() => inner.acquire(key, options)),
      append: (lease, first, entries, patch) =>
        this.#call(async () => {
          if (entries.length > 0) this.#assertSpace();
          const appended = await inner.append(lease, first, entries, patch);
          const { key, epoch } = lease;
          if (appended.is === "appended")
            this.#history.append(
              { replica: inner.id, session: key.sessionId, epoch },
              first,
              entries,
              this.#world.now(),
            );
          return appended;
        }),
      trim: (lease, first) =>
        this.#call(async () => {
          this.#history.trim(lease.key.sessionId, this.#world.now());
          await inner.trim(lease, first);
        }),
      release: (lease) => this.#call(() => inner.release(lease)),
      renew: () => this.#call(() => inner.renew()),
      send: (replica, message) => this.#call(() => inner.send(replica, message)),
      leave: () => this.#call(() => inner.leave()),
    };
    return membership;
  };

  #assertSpace(): void {
    if (this.#world.now() < this.#faults.fullUntil) throw new EngineError("full", "simulated");
  }

  async #call<Result>(work: () => Promise<Result>): Promise<Result> {
    const { random } = this.#world;
    await this.#process.gate();
    const [failsBefore, failsAfter] = [
      random.chance(this.#faults.failure / 2),
      random.chance(this.#faults.failure / 2),
    ];
    await this.#world.sleep(this.#delay());
    while (this.#world.now() < this.#faults.frozenUntil)
      await this.#world.sleep(this.#faults.frozenUntil - this.#world.now());
    const outcome = failsBefore
      ? undefined
      : await work().then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
    this.#world.note(`${this.#process.name}: ${outcome === undefined ? "no engine" : JSON.stringify(outcome)}`);
    await this.#world.sleep(this.#delay());
    await this.#process.gate();
    if (outcome === undefined || failsAfter) throw new EngineError("unavailable", "simulated");
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Delivers messages in order, and some of them twice. */
  #deliver(act: () => void): void {
    const times = this.#world.random.chance(this.#faults.duplicate) ? 2 : 1;
    for (let i = 0; i < times; i++) {
      this.#mailAt = Math.max(this.#mailAt, this.#world.now() + this.#delay());
      this.#world.after(this.#mailAt - this.#world.now(), () => this.#process.run(act));
    }
  }

  #delay(): number {
    return this.#world.random.int(0, this.#faults.maxDelayMs);
  }
}
