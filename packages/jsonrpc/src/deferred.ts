/** A promise and the functions that settle it. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value | PromiseLike<Value>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a promise together with the functions that settle it, as `Promise.withResolvers` of newer engines does. If no
 * code handles a rejection of the promise, it is not reported as unhandled.
 */
export function deferred<Value = void>(): Deferred<Value> {
  let resolve: Deferred<Value>["resolve"] = () => {};
  let reject: Deferred<Value>["reject"] = () => {};
  const promise = new Promise<Value>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
