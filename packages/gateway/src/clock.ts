import { Queue } from "@acp-kit/jsonrpc/internal";

/** The clock of a gateway. Tests and simulations pass a clock that they control. */
export interface GatewayClock {
  /** Milliseconds since an arbitrary moment. Never goes back. */
  now(): number;
  /** Milliseconds since 1970, for the age of turns. Default `Date.now`. */
  wallNow?(): number;
  /** Calls `action` once after `ms`, unless the returned function is called first. */
  after(ms: number, action: () => void): () => void;
  /**
   * Resolves after the process has handled other events. Long work, such as the replay of a session, waits for it after
   * each step. Of several waiting callers, one continues in each turn of the event loop. Without this function, such
   * work does not wait.
   */
  turn?(): Promise<void>;
}

/**
 * The callers of {@link GatewayClock.turn} that wait, in their order. All gateways of a process share its event loop.
 */
const waiting = new Queue<() => void>();

/**
 * The function for the next turn of the event loop. `setTimeout` waits a millisecond, so it is used only where there is
 * no `setImmediate`.
 */
const soon = (action: () => void): void => {
  const { setImmediate } = globalThis as { setImmediate?: (action: () => void) => unknown };
  if (setImmediate === undefined) setTimeout(action);
  else setImmediate(action);
};

function continueNext(): void {
  waiting.take()?.();
  if (waiting.length > 0) soon(continueNext);
}

/** The clock of the process. Its timers do not keep a Node process running. */
export const gatewaySystemClock: GatewayClock = {
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, Math.min(ms, 2 ** 31 - 1));
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer);
  },
  turn: () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) soon(continueNext);
    }),
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
