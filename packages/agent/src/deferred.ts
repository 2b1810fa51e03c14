/** A promise and the function that settles it. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value | PromiseLike<Value>) => void;
}

/** Creates a promise together with the function that settles it: `Promise.withResolvers` of newer engines. */
export function deferred<Value>(): Deferred<Value> {
  let settle: Deferred<Value>["resolve"] = () => {};
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: settle };
}
