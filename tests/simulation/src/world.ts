import type { GatewayClock } from "@acp-kit/gateway/internal";
import { Random } from "./random.js";

const immediate = setImmediate; // of the platform

/** How many timers run in one turn of the event loop. */
const STEPS_PER_TURN = 16;

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly action: () => void;
}

/**
 * The clock and the random numbers of one simulation. The clock moves to the next timer only when all other work is
 * done.
 */
export class World implements GatewayClock {
  readonly random: Random;
  #now = 1_000_000;
  #order = 0;
  readonly #timers: Timer[] = [];
  #trace = 0x811c_9dc5;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /** A hash of the trace. Two runs with the same events at the same times have equal hashes. */
  get trace(): string {
    return this.#trace.toString(16).padStart(8, "0");
  }

  /** Adds an event at the current time to the trace. The hash is FNV-1a. */
  note(what: string): void {
    let hash = this.#trace;
    for (const text of [`${this.#now} `, what])
      for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193) >>> 0;
    this.#trace = hash;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.#now + ms, order: this.#order++, action };
    let low = 0;
    for (let high = this.#timers.length; low < high; ) {
      const middle = (low + high) >>> 1;
      const other = this.#timers[middle] as Timer;
      if (other.at > timer.at || (other.at === timer.at && other.order > timer.order)) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer); // the next timer is the last element of the list
    return () => {
      const at = this.#timers.indexOf(timer);
      if (at !== -1) this.#timers.splice(at, 1);
    };
  }

  /**
   * Replaces the timers of the platform, which connections and engines use, by this clock. The returned function
   * restores them.
   */
  install(): () => void {
    const { setTimeout: realSet, clearTimeout: realClear, setImmediate: realImmediate } = globalThis;
    const set = (action: () => void, ms = 0): object => {
      const timer = { cancel: this.after(ms, action), unref: () => timer, ref: () => timer };
      return timer;
    };
    const clear = (timer: { readonly cancel?: () => void } | undefined): void => timer?.cancel?.();
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear, setImmediate: set });
    return () =>
      void Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear, setImmediate: realImmediate });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /**
   * Advances the clock until a condition holds. Resolves with `false` if it does not hold after `ms`, or when no timers
   * are left.
   */
  async runUntil(isDone: () => boolean, ms: number): Promise<boolean> {
    const end = this.#now + ms;
    for (let step = 0; ; step++) {
      // Both run when no promise callback is left. A turn of the event loop costs system calls, and a tick does not;
      // but Node reports unhandled rejections only when no tick is left.
      await new Promise<void>((resolve) =>
        step % STEPS_PER_TURN === 0 ? void immediate(resolve) : process.nextTick(resolve),
      );
      if (isDone()) return true;
      const next = this.#timers.at(-1);
      if (next === undefined || next.at > end) return false;
      this.#timers.pop();
      this.#now = Math.max(this.#now, next.at);
      next.action();
    }
  }
}

/** A process of the simulation. It can be paused, and killed at any moment. */
export class SimProcess implements GatewayClock {
  readonly name: string;
  readonly #world: World;
  #state: "running" | "paused" | "dead" = "running";
  #waiting: (() => void)[] = [];
  readonly #onKill: (() => void)[] = [];

  constructor(world: World, name: string) {
    this.#world = world;
    this.name = name;
  }

  get isDead(): boolean {
    return this.#state === "dead";
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  now(): number {
    return this.#world.now();
  }

  wallNow(): number {
    return this.#world.now();
  }

  after(ms: number, action: () => void): () => void {
    let isOver = false;
    const cancel = this.#world.after(ms, () => this.run(() => !isOver && action()));
    return () => {
      isOver = true;
      cancel();
    };
  }

  /** Runs an action immediately; if the process is paused, after the pause; if the process is dead, never. */
  run(action: () => void): void {
    if (this.#state === "running") action();
    else if (this.#state === "paused") this.#waiting.push(action);
  }

  /** Resolves when the process is not paused. Never resolves if the process is dead. */
  gate(): Promise<void> {
    return new Promise((resolve) => this.run(resolve));
  }

  onKill(action: () => void): void {
    this.#onKill.push(action);
  }

  pause(): void {
    if (this.#state === "running") this.#state = "paused";
  }

  resume(): void {
    if (this.#state !== "paused") return;
    this.#state = "running";
    for (const action of this.#waiting.splice(0)) this.run(action);
  }

  kill(): void {
    if (this.#state === "dead") return;
    this.#state = "dead";
    this.#waiting = [];
    for (const action of this.#onKill.splice(0)) action();
  }
}
