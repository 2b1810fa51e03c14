import { after } from "./timer.js";

/** What the caller's signal does to a request. */
export interface Abortion {
  readonly cancelGraceMs: number;
  /** Asks the peer to cancel. */
  cancel(): void;
  /** Settles the request. */
  reject(reason: unknown): void;
}

/** Lets a caller's signal cancel a request: the peer is asked, and when it doesn't answer in time, the request rejects. Returns how to stop. */
export function abortRequest(signal: AbortSignal, { cancelGraceMs, cancel, reject }: Abortion): () => void {
  let stopped = false;
  let endGrace: (() => void) | undefined;
  const aborted = (): void => {
    cancel();
    if (stopped) return; // asking to cancel found that the connection is over
    endGrace = after(cancelGraceMs, () => reject(signal.reason));
  };
  signal.addEventListener("abort", aborted, { once: true });
  return () => {
    stopped = true;
    endGrace?.();
    signal.removeEventListener("abort", aborted);
  };
}
