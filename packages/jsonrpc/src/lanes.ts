import type { Backlog } from "./flow-control.js";

/** What a lane does with the messages that hold it. */
export interface LaneWork<Message> {
  /** Runs a message; doesn't throw. A promise means: the lane waits until it settles. */
  run(message: Message, size: number): Promise<unknown> | undefined;
  /** The promise of `run` rejected. */
  failed(message: Message, cause: unknown): void;
  /** No lane is held any more. */
  idle(): void;
}

/** Something that keeps its place in a lane without holding up what comes after it. */
class Passing {
  readonly pass: () => void;
  constructor(pass: () => void) {
    this.pass = pass;
  }
}

/** Something that waits, with its lane. */
interface Waiting<Message> {
  readonly key: string;
  readonly message: Message | Passing;
  readonly size: number;
}

/** A lane whose handler is running, and what waits for it. */
interface Lane<Message> {
  readonly key: string;
  queue: (Message | Passing | undefined)[];
  sizes: number[];
  /** Index of the next message: shifting an array of 200,000 would be quadratic. */
  head: number;
}

/**
 * Orders messages that belong together (in ACP: to one session) without holding up the others.
 *
 * A message whose lane is free runs at once, in the caller's stack; a lane exists only while a handler of it is running.
 */
export class Lanes<Message extends object> {
  readonly #lanes = new Map<string, Lane<Message>>();
  readonly #work: LaneWork<Message>;
  readonly #backlog: Backlog;
  /** A handler is on the stack. What a transport delivers now (some deliver while sending) is kept until it has returned. */
  #onStack = false;
  #kept: Waiting<Message>[] = [];
  #deliveringKept = false;
  /** The lane that the handler on the stack holds. */
  #holding: string | undefined;
  /** The lane that is letting something pass, which doesn't hold it. */
  #passing: string | undefined;

  constructor(work: LaneWork<Message>, backlog: Backlog) {
    this.#work = work;
    this.#backlog = backlog;
  }

  /** No lane is held. */
  get idle(): boolean {
    return this.#lanes.size === 0;
  }

  /** Code that runs now may belong to a handler that holds this lane. */
  isHeld(key: string): boolean {
    return this.#holding === key || (this.#passing !== key && this.#lanes.has(key));
  }

  /** Whether {@link pass} would wait. */
  isBlocked(key: string): boolean {
    return this.#onStack || (this.#lanes.size > 0 && this.#lanes.has(key));
  }

  /** Runs `message` once everything before it in its lane has finished. */
  deliver(key: string, message: Message, size: number): void {
    if (this.isBlocked(key)) {
      this.#wait(key, message, size);
      return;
    }
    const finished = this.#run(key, message, size);
    if (finished !== undefined) {
      const lane: Lane<Message> = { key, queue: [], sizes: [], head: 0 };
      this.#lanes.set(key, lane);
      this.#hold(lane, message, finished);
    }
    if (this.#kept.length > 0) this.#deliverKept();
  }

  /** Calls `pass` once everything before it in its lane has finished; what comes after doesn't wait for it. */
  pass(key: string, pass: () => void, size: number): void {
    if (this.isBlocked(key)) {
      this.#wait(key, new Passing(pass), size);
      return;
    }
    this.#pass(undefined, pass);
    if (this.#kept.length > 0) this.#deliverKept();
  }

  /** Forgets what waits and returns how much it was. What runs is left to finish. */
  clear(): number {
    let dropped = this.#kept.length;
    this.#kept = [];
    for (const lane of this.#lanes.values()) {
      dropped += lane.queue.length - lane.head;
      lane.queue = [];
      lane.sizes = [];
      lane.head = 0;
    }
    return dropped;
  }

  #wait(key: string, message: Message | Passing, size: number): void {
    const lane = this.#lanes.get(key);
    if (lane === undefined) {
      this.#kept.push({ key, message, size });
      return;
    }
    lane.queue.push(message);
    lane.sizes.push(size);
    this.#backlog.add(key, size);
  }

  #run(key: string, message: Message, size: number): Promise<unknown> | undefined {
    this.#onStack = true;
    this.#holding = key;
    const finished = this.#work.run(message, size);
    this.#holding = undefined;
    this.#onStack = false;
    return finished;
  }

  #pass(key: string | undefined, pass: () => void): void {
    this.#onStack = true;
    this.#passing = key;
    pass();
    this.#passing = undefined;
    this.#onStack = false;
  }

  #hold(lane: Lane<Message>, message: Message, finished: Promise<unknown>): void {
    finished.then(
      () => this.#drain(lane),
      (cause: unknown) => {
        this.#work.failed(message, cause);
        this.#drain(lane);
      },
    );
  }

  #drain(lane: Lane<Message>): void {
    if (!this.#runWaiting(lane)) {
      this.#lanes.delete(lane.key);
      if (this.#lanes.size === 0) this.#work.idle();
    }
    if (this.#kept.length > 0) this.#deliverKept();
  }

  /** Runs what waits until something holds the lane again (`true`) or nothing is left. */
  #runWaiting(lane: Lane<Message>): boolean {
    const { key } = lane;
    while (lane.head < lane.queue.length) {
      const message = lane.queue[lane.head] as Message | Passing;
      const size = lane.sizes[lane.head] as number;
      lane.queue[lane.head] = undefined;
      lane.head += 1;
      if (lane.head > 1024 && lane.head * 2 > lane.queue.length) compact(lane);
      this.#backlog.remove(key, size);
      if (message instanceof Passing) {
        this.#pass(key, message.pass);
        continue;
      }
      const finished = this.#run(key, message, size);
      if (finished !== undefined) {
        this.#hold(lane, message, finished);
        return true;
      }
    }
    return false;
  }

  /** In order, those that come on meanwhile included. */
  #deliverKept(): void {
    if (this.#deliveringKept) return;
    this.#deliveringKept = true;
    for (let next = 0; next < this.#kept.length; next += 1) {
      const { key, message, size } = this.#kept[next] as Waiting<Message>;
      if (message instanceof Passing) this.pass(key, message.pass, size);
      else this.deliver(key, message, size);
    }
    this.#kept = [];
    this.#deliveringKept = false;
  }
}

/** Amortised constant: at most half of what stays was moved since the last time. */
function compact<Message>(lane: Lane<Message>): void {
  lane.queue = lane.queue.slice(lane.head);
  lane.sizes = lane.sizes.slice(lane.head);
  lane.head = 0;
}
