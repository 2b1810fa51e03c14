import { onAbort } from "@acp-kit/protocol/internal";

/** Settles as `promise` does, but rejects with the signal's reason if the signal aborts first. */
export function abortable<Result>(promise: PromiseLike<Result>, signal: AbortSignal | undefined): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal?.reason));
    promise.then(resolve, reject).then(stop, stop);
  });
}
