/**
 * Calls `listener` once when `signal` aborts, or immediately if it has already aborted. Returns a function that removes
 * the listener, as `signal.removeEventListener("abort", listener)` does. Without a signal, the function does nothing.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
