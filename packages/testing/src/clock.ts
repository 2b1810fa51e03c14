/** Where scripts and faults read the time and wait: real time, or a {@link TestClock} that the test owns. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Runs `action` after `ms`, unless the returned function is called first. */
  after(ms: number, action: () => void): () => void;
}

/** A clock that stands until the test moves it. Made by {@link createClock}. */
export interface TestClock extends Clock {
  /** How many actions wait for their time. */
  readonly pending: number;
  /** Resolves after `ms` of this clock. */
  sleep(ms: number): Promise<void>;
  /** Moves the time on by `ms`; what falls due runs in order, and what follows from it has happened when this resolves. */
  advance(ms: number): Promise<void>;
  /** Moves the time on to whatever falls due next, and so on until nothing waits. */
  runAll(): Promise<void>;
}

// Taken before anybody can replace it with a fake: `advance` has to end in any case.
const realTimeout = globalThis.setTimeout;

/** Real time. It looks `setTimeout` up at each call, so that the fake timers of a test runner own it, too. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

interface Waiting {
  readonly due: number;
  readonly action: () => void;
}

/** Makes a clock that stands at `now` until the test moves it. */
export function createClock({ now: start = 0 }: { readonly now?: number } = {}): TestClock {
  let now = start;
  let waiting: readonly Waiting[] = []; // by time, then by the order in which they were asked for

  const after = (ms: number, action: () => void): (() => void) => {
    const entry: Waiting = { due: now + Math.max(0, ms), action };
    const place = waiting.findIndex(({ due }) => due > entry.due);
    waiting = waiting.toSpliced(place < 0 ? waiting.length : place, 0, entry);
    return () => {
      waiting = waiting.filter((other) => other !== entry);
    };
  };

  /** Runs what is due until `end`, and what that brings about. */
  const runUntil = async (end: number): Promise<void> => {
    await followUps();
    for (;;) {
      const [next] = waiting;
      if (next === undefined || next.due > end) break;
      waiting = waiting.slice(1);
      now = next.due;
      next.action();
      await followUps();
    }
    if (end !== Number.POSITIVE_INFINITY) now = end;
  };

  return {
    now: () => now,
    after,
    get pending() {
      return waiting.length;
    },
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    advance: (ms) => runUntil(now + ms),
    runAll: () => runUntil(Number.POSITIVE_INFINITY),
  };
}

/** Lets promises and the event loop go on with what has just become possible. */
async function followUps(): Promise<void> {
  await new Promise<void>((resolve) => void realTimeout(resolve, 0));
}
