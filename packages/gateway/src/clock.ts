/** The clock of a gateway. Tests and simulations pass a clock that they control. */
export interface GatewayClock {
  /** Milliseconds since an arbitrary moment. Never goes back. */
  now(): number;
  /** Milliseconds since 1970, for the age of turns. Default `Date.now`. */
  wallNow?(): number;
  /** Calls `action` once after `ms`, unless the returned function is called first. */
  after(ms: number, action: () => void): () => void;
}

/** The clock of the process. Its timers do not keep a Node process running. */
export const gatewaySystemClock: GatewayClock = {
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, Math.min(ms, 2 ** 31 - 1));
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer);
  },
};

/** Returns the current time in milliseconds since 1970. */
export function wallClock(clock: GatewayClock): number {
  return clock.wallNow?.() ?? Date.now();
}

/** Resolves after `ms` milliseconds. */
export function sleep(clock: GatewayClock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
