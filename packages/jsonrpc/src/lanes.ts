/** Runs one message. A promise means: the lane waits for it. It must not reject. */
type Run = (message: unknown, size: number) => PromiseLike<void> | undefined;

/** What a {@link Lanes} tells about messages that have to wait. */
interface Backlog {
  add(key: string, size: number): void;
  remove(key: string, size: number): void;
}

interface Lane {
  queue: unknown[];
  sizes: number[];
  /** Index of the next message: shifting an array of 200,000 would be quadratic. */
  head: number;
}

/**
 * Orders messages that belong together (in ACP: to one session) without holding up the others.
 *
 * A message whose lane is free runs at once, in the caller's stack; a lane exists only while a handler of it is running.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #run: Run;
  readonly #backlog: Backlog;
  #current: string | undefined;

  constructor(run: Run, backlog: Backlog) {
    this.#run = run;
    this.#backlog = backlog;
  }

  /** A handler of this lane is running, or is just being started. */
  isBusy(key: string): boolean {
    return this.#current === key || this.#lanes.has(key);
  }

  deliver(key: string, message: unknown, size: number): void {
    const lane = this.#lanes.size === 0 ? undefined : this.#lanes.get(key);
    if (lane !== undefined) {
      lane.queue.push(message);
      lane.sizes.push(size);
      this.#backlog.add(key, size);
      return;
    }
    const running = this.#start(key, message, size);
    if (running === undefined) return;
    const opened: Lane = { queue: [], sizes: [], head: 0 };
    this.#lanes.set(key, opened);
    this.#waitFor(running, key, opened);
  }

  #start(key: string, message: unknown, size: number): PromiseLike<void> | undefined {
    const outer = this.#current;
    this.#current = key;
    const running = this.#run(message, size);
    this.#current = outer;
    return running;
  }

  #waitFor(running: PromiseLike<void>, key: string, lane: Lane): void {
    running.then(() => this.#drain(key, lane));
  }

  #drain(key: string, lane: Lane): void {
    while (lane.head < lane.queue.length) {
      const message = lane.queue[lane.head];
      const size = lane.sizes[lane.head] as number;
      lane.queue[lane.head] = undefined;
      lane.head += 1;
      if (lane.head > 1024 && lane.head * 2 > lane.queue.length) compact(lane);
      this.#backlog.remove(key, size);
      const running = this.#start(key, message, size);
      if (running !== undefined) {
        this.#waitFor(running, key, lane);
        return;
      }
    }
    this.#lanes.delete(key);
  }
}

/** Amortised constant: at most half of what stays was moved since the last time. */
function compact(lane: Lane): void {
  lane.queue = lane.queue.slice(lane.head);
  lane.sizes = lane.sizes.slice(lane.head);
  lane.head = 0;
}
