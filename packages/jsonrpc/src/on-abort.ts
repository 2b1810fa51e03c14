/**
 * Calls `listener` once when `signal` aborts, or at once if it has: a listener that is added to an aborted signal is never called.
 * Returns a function that removes it, as `signal.removeEventListener("abort", listener)` does. Without a signal it does nothing.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
