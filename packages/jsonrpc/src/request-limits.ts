import { ConnectionError } from "./connection-error.js";
import { after } from "./timer.js";

/** What ends a request before its answer does. */
export interface RequestLimits {
  readonly signal: AbortSignal | undefined;
  /** 0 for none. */
  readonly timeoutMs: number;
  readonly cancelGraceMs: number;
  /** Asks the peer to cancel. Called once at most. */
  cancel(): void;
  /** Settles the request, unless that has happened. */
  reject(error: () => unknown): void;
}

/** Arms the deadline and the caller's signal of a request. Returns how to disarm them. */
export function armLimits({ method }: { readonly method: string }, limits: RequestLimits): () => void {
  const { signal, timeoutMs, cancelGraceMs } = limits;
  let cancelled = false;
  let disarmed = false;
  let endGrace: (() => void) | undefined;
  const cancel = (): void => {
    if (!cancelled) limits.cancel();
    cancelled = true;
  };
  const endDeadline =
    timeoutMs > 0
      ? after(timeoutMs, () => {
          cancel();
          const message = `${method}: no answer within ${timeoutMs} ms`;
          limits.reject(() => new ConnectionError("timeout", message, { method }));
        })
      : undefined;
  const aborted = (): void => {
    cancel();
    if (disarmed) return; // asking to cancel found that the connection is over
    endGrace = after(cancelGraceMs, () => limits.reject(() => signal?.reason));
  };
  signal?.addEventListener("abort", aborted, { once: true });
  return () => {
    disarmed = true;
    endDeadline?.();
    endGrace?.();
    signal?.removeEventListener("abort", aborted);
  };
}
