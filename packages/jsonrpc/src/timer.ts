/** The longest delay a platform's timer can hold; a longer one would fire at once. */
const LONGEST_MS = 2_147_483_647;

/** How a timer counts for the process. */
export interface TimerOptions {
  /** The timer keeps a Node process alive until it fires. Default `false`: a deadline must not. */
  readonly keepAlive?: boolean;
}

/** Runs `action` after `ms`, unless the returned function is called first. More than 24.8 days, `Infinity` included, means never. */
export function after(ms: number, action: () => void, { keepAlive = false }: TimerOptions = {}): () => void {
  if (ms > LONGEST_MS) return () => {};
  const timer = setTimeout(action, ms);
  if (!keepAlive) release(timer);
  return () => clearTimeout(timer);
}

/** Runs `action` every `ms`, until the returned function is called. It keeps no process alive. More than 24.8 days means never. */
export function every(ms: number, action: () => void): () => void {
  if (ms > LONGEST_MS) return () => {};
  const timer = setInterval(action, ms);
  release(timer);
  return () => clearInterval(timer);
}

/** Resolves when `promise` has settled, in whichever way, but after `ms` at the latest. Never rejects. */
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
