import type { Backlog } from "./flow-control.js";

/** What a lane does with the messages that hold it, and with the guests that pass without holding it. */
export interface LaneWork<Message, Guest> {
  /** Runs a message; doesn't throw. A promise means: the lane waits until it settles. */
  run(message: Message, size: number): Promise<unknown> | undefined;
  /** Lets a guest do what it has waited for; doesn't throw. */
  pass(guest: Guest): void;
  /** The promise of `run` rejected. */
  failed(message: Message, cause: unknown): void;
  /** No lane is held any more. */
  idle(): void;
}

/** Marks a guest among the messages that wait. */
class Waiting<Guest> {
  readonly guest: Guest;
  constructor(guest: Guest) {
    this.guest = guest;
  }
}

/** What a transport delivered while a handler was on the stack. */
interface Kept<Message, Guest> {
  readonly key: string;
  readonly entry: Message | Waiting<Guest>;
  readonly size: number;
}

/** A lane whose handler is running, and what waits for it. */
class Lane<Message, Guest> {
  key = "";
  /** Whose handler is running. */
  message: Message | undefined;
  queue: (Message | Waiting<Guest> | undefined)[] = [];
  sizes: number[] = [];
  /** Index of the next message: shifting an array of 200,000 would be quadratic. */
  head = 0;
  /** What happens when the handler has finished. Made once: a closure for each message is what would cost most here. */
  readonly done: () => void;
  readonly failed: (cause: unknown) => void;

  constructor(drain: (lane: Lane<Message, Guest>) => void, failed: (message: Message, cause: unknown) => void) {
    this.done = () => drain(this);
    this.failed = (cause) => {
      failed(this.message as Message, cause);
      drain(this);
    };
  }

  /** Forgets what waits. */
  clear(): void {
    this.queue = [];
    this.sizes = [];
    this.head = 0;
  }
}

/**
 * Orders messages that belong together (in ACP: to one session) without holding up the others.
 *
 * A message whose lane is free runs at once, in the caller's stack; a lane exists only while a handler of it is running.
 */
export class Lanes<Message extends object, Guest extends object> {
  readonly #lanes = new Map<string, Lane<Message, Guest>>();
  /** The lane that was freed last, for the next that is held: most often one handler runs at a time. */
  #spare: Lane<Message, Guest> | undefined;
  readonly #work: LaneWork<Message, Guest>;
  readonly #backlog: Backlog;
  /** A handler is on the stack. What a transport delivers now (some deliver while sending) is kept until it has returned. */
  #onStack = false;
  #kept: Kept<Message, Guest>[] = [];
  #deliveringKept = false;
  /** The lane that the handler on the stack holds. */
  #holding: string | undefined;
  /** The lane that is letting a guest pass. */
  #passing: string | undefined;

  constructor(work: LaneWork<Message, Guest>, backlog: Backlog) {
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
    if (finished !== undefined) this.#hold(this.#open(key), message, finished);
    if (this.#kept.length > 0) this.#deliverKept();
  }

  /** Lets a guest pass once everything before it in its lane has finished; what comes after doesn't wait for it. */
  pass(key: string, guest: Guest, size: number): void {
    if (this.isBlocked(key)) {
      this.#wait(key, new Waiting(guest), size);
      return;
    }
    this.#pass(undefined, guest);
    if (this.#kept.length > 0) this.#deliverKept();
  }

  /** Forgets what waits and returns how much it was. What runs is left to finish. */
  clear(): number {
    let dropped = this.#kept.length;
    this.#kept = [];
    for (const lane of this.#lanes.values()) {
      dropped += lane.queue.length - lane.head;
      lane.clear();
    }
    return dropped;
  }

  #wait(key: string, entry: Message | Waiting<Guest>, size: number): void {
    const lane = this.#lanes.get(key);
    if (lane === undefined) {
      this.#kept.push({ key, entry, size });
      return;
    }
    lane.queue.push(entry);
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

  #pass(key: string | undefined, guest: Guest): void {
    this.#onStack = true;
    this.#passing = key;
    this.#work.pass(guest);
    this.#passing = undefined;
    this.#onStack = false;
  }

  #open(key: string): Lane<Message, Guest> {
    const lane =
      this.#spare ??
      new Lane<Message, Guest>(
        (drained) => this.#drain(drained),
        (message, cause) => this.#work.failed(message, cause),
      );
    this.#spare = undefined;
    lane.key = key;
    this.#lanes.set(key, lane);
    return lane;
  }

  #free(lane: Lane<Message, Guest>): void {
    this.#lanes.delete(lane.key);
    if (lane.queue.length > 0) lane.clear();
    lane.message = undefined;
    this.#spare = lane;
  }

  #hold(lane: Lane<Message, Guest>, message: Message, finished: Promise<unknown>): void {
    lane.message = message;
    finished.then(lane.done, lane.failed);
  }

  #drain(lane: Lane<Message, Guest>): void {
    if (!this.#runWaiting(lane)) this.#free(lane);
    if (this.#kept.length > 0) this.#deliverKept();
    if (this.#lanes.size === 0) this.#work.idle();
  }

  /** Runs what waits until something holds the lane again (`true`) or nothing is left. */
  #runWaiting(lane: Lane<Message, Guest>): boolean {
    const { key } = lane;
    while (lane.head < lane.queue.length) {
      const entry = lane.queue[lane.head] as Message | Waiting<Guest>;
      const size = lane.sizes[lane.head] as number;
      lane.queue[lane.head] = undefined;
      lane.head += 1;
      if (lane.head > 1024 && lane.head * 2 > lane.queue.length) compact(lane);
      this.#backlog.remove(key, size);
      if (entry instanceof Waiting) {
        this.#pass(key, entry.guest);
        continue;
      }
      const finished = this.#run(key, entry, size);
      if (finished !== undefined) {
        this.#hold(lane, entry, finished);
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
      const { key, entry, size } = this.#kept[next] as Kept<Message, Guest>;
      if (entry instanceof Waiting) this.pass(key, entry.guest, size);
      else this.deliver(key, entry, size);
    }
    this.#kept = [];
    this.#deliveringKept = false;
  }
}

/** Amortised constant: at most half of what stays was moved since the last time. */
function compact<Message, Guest>(lane: Lane<Message, Guest>): void {
  lane.queue = lane.queue.slice(lane.head);
  lane.sizes = lane.sizes.slice(lane.head);
  lane.head = 0;
}
