/** The longest delay in milliseconds that timers support. With a longer delay, a timer would fire immediately. */
const LONGEST_MS = 2_147_483_647;

/** Options of a timer. */
export interface TimerOptions {
  /** Whether the timer keeps a Node process alive. The default is `false`: a deadline must not. */
  readonly keepAlive?: boolean;
}

/** Runs `action` after `ms` milliseconds, unless the returned function is called. Beyond 24.8 days: never. */
export function after(ms: number, action: () => void, { keepAlive = false }: TimerOptions = {}): () => void {
  if (ms > LONGEST_MS) return () => {};
  const timer = setTimeout(action, ms);
  if (!keepAlive) release(timer);
  return () => clearTimeout(timer);
}

/**
 * Runs `action` every `ms` milliseconds until the returned function is called. The timer doesn't keep the process
 * alive. A time of more than 24.8 days means never.
 */
export function every(ms: number, action: () => void): () => void {
  if (ms > LONGEST_MS) return () => {};
  const timer = setInterval(action, ms);
  release(timer);
  return () => clearInterval(timer);
}

/** Resolves when `promise` has resolved or rejected, but after `ms` milliseconds at the latest. Never rejects. */
export function settledWithin(ms: number, promise: Promise<unknown>, options?: TimerOptions): Promise<void> {
  return new Promise((resolve) => {
    const stop = after(ms, resolve, options);
    const settled = (): void => {
      stop();
      resolve();
    };
    promise.then(settled, settled);
  });
}

function release(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
