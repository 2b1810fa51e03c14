/**
 * Calls `listener` once when `signal` aborts, or at once if it has: a listener that is added to an aborted signal is never called.
 * `signal.removeEventListener("abort", listener)` takes it back.
 */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
}
