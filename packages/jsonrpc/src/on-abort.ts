/**
 * Calls `listener` once when `signal` aborts, or at once if it has already aborted.
 * `signal.removeEventListener("abort", listener)` removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
}
