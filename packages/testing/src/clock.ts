import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
/** The time source of scripts and faults: real time, or a {@link TestClock} that the test controls. */
export interface Clock {
  /** Returns the time in milliseconds, on a monotonic clock. */
  now(): number;
  /**
   * Runs `action` after `ms`, unless the returned function is called first. With `Infinity`, the action never runs.
   *
   * @throws {TypeError} when `ms` is `NaN`.
   */
  after(ms: number, action: () => void): () => void;
}

/** A clock whose time only the test advances. {@link createClock} creates it. */
export interface TestClock extends Clock {
  /** The number of actions that wait for their time. */
  readonly pending: number;
  /** Resolves after `ms` milliseconds of this clock. */
  sleep(ms: number): Promise<void>;
  /**
   * Advances the clock by `ms` milliseconds and runs the actions that are due, in order. The promise resolves after the
   * effects of these actions have happened. A call that is made while another runs starts when the other has ended.
   *
   * @throws {TypeError} when `ms` is `NaN` or negative.
   */
  advance(ms: number): Promise<void>;
  /** Advances the clock to the next action that is due, until no action is left that ever runs. */
  runAll(): Promise<void>;
}

// The real `setTimeout`, stored before fake timers can replace it: with a fake timer, `advance` could wait for ever.
const realTimeout = globalThis.setTimeout;

/** The real time, by the current global `setTimeout`, so that a test runner's fake timers apply, too. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, action) {
    if (checked(ms) === Number.POSITIVE_INFINITY) return () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (rest: number): void => {
      const part = Math.min(rest, LONGEST_TIMER_MS);
      timer = setTimeout(() => (rest > part ? wait(rest - part) : action()), part);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** The longest time of a timer. A longer one would end at once, so a longer time needs several timers. */
const LONGEST_TIMER_MS = 2_147_483_647;

interface Waiting {
  readonly due: number;
  readonly action: () => void;
}

/** Creates a clock with the time `now`, which only the test advances. */
export function createClock(options: { readonly now?: number } = {}): TestClock {
  checkOptions("createClock", options, optionKinds);
  const { now: start = 0 } = options;
  let now = start;
  let waiting: readonly Waiting[] = []; // sorted by time, then by the order of the calls

  const after = (ms: number, action: () => void): (() => void) => {
    const entry: Waiting = { due: now + Math.max(0, checked(ms)), action };
    const place = waiting.findIndex(({ due }) => due > entry.due);
    waiting = waiting.toSpliced(place < 0 ? waiting.length : place, 0, entry);
    return () => {
      waiting = waiting.filter((other) => other !== entry);
    };
  };

  /** Runs due actions until `end`, and the actions that they schedule. */
  const runUntil = async (end: number): Promise<void> => {
    await followUps();
    for (;;) {
      const [next] = waiting;
      if (next === undefined || next.due > end || next.due === Number.POSITIVE_INFINITY) break;
      waiting = waiting.slice(1);
      now = next.due;
      next.action();
      await followUps();
    }
    if (end !== Number.POSITIVE_INFINITY) now = end;
  };

  let lastRun: Promise<void> = Promise.resolve();
  /** Runs calls of `advance` and `runAll` one after another, so that their times add up, also after an error. */
  const inTurn = (run: () => Promise<void>): Promise<void> => {
    const result = lastRun.then(run);
    lastRun = result.catch(() => {});
    return result;
  };

  return {
    now: () => now,
    after,
    get pending() {
      return waiting.length;
    },
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    advance(ms) {
      if (!(ms >= 0)) throw new TypeError(`A clock advances by 0 or more milliseconds, not by ${ms}`);
      return inTurn(() => runUntil(now + ms));
    },
    runAll: () => inTurn(() => runUntil(Number.POSITIVE_INFINITY)),
  };
}

const optionKinds: OptionKinds<{ readonly now?: number }> = { now: "value" };

function checked(ms: number): number {
  if (Number.isNaN(ms)) throw new TypeError("The time of an action must be a number of milliseconds, not NaN");
  return ms;
}

/** Waits until the event loop has run the promise reactions and callbacks that are ready. */
async function followUps(): Promise<void> {
  await new Promise<void>((resolve) => void realTimeout(resolve, 0));
}
