/** Time, as the gateway sees it: a test or a simulation brings its own. */
export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now(): number;
  /** Calls `action` once after `ms`, unless the returned function is called first. */
  after(ms: number, action: () => void): () => void;
}

/** The clock of the process. Its timers do not keep a Node process running. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, Math.min(ms, 2 ** 31 - 1));
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
