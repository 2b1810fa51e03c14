import { deferred, onAbort } from "@acp-kit/protocol/internal";

/**
 * Resolves with the promise's value, or with `undefined` if one of the signals has aborted or aborts first. A later
 * rejection of the promise has no effect, and is never an unhandled rejection.
 */
export async function abortable<Value>(
  promise: Promise<Value>,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<Value | undefined> {
  const aborted = deferred<undefined>();
  const stops = signals.map((signal) => onAbort(signal, () => aborted.resolve(undefined)));
  try {
    return await Promise.race([aborted.promise, promise]);
  } finally {
    for (const stop of stops) stop();
  }
}
