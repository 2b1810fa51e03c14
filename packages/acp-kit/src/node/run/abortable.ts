import { deferred, onAbort } from "@acp-kit/protocol";

/** Resolves with the promise's value, or with `undefined` if one of the signals aborts first. */
export async function abortable<Value>(
  promise: Promise<Value>,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<Value | undefined> {
  if (signals.some((signal) => signal?.aborted)) return undefined;
  const aborted = deferred<undefined>();
  const stops = signals.map((signal) => onAbort(signal, () => aborted.resolve(undefined)));
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    for (const stop of stops) stop();
  }
}
