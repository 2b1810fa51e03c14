/** A promise and the functions that settle it. A handler awaits the promise, and finishes when the test settles it. */
export interface Gate<Value = void> {
  readonly promise: Promise<Value>;
  readonly open: (value: Value) => void;
  readonly break: (error: unknown) => void;
}

export function gate<Value = void>(): Gate<Value> {
  let open = (_: Value): void => {};
  let fail = (_: unknown): void => {};
  const promise = new Promise<Value>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  promise.catch(() => {});
  return { promise, open, break: fail };
}

/** Resolves when all pending code has run, except code that waits for a timer or I/O. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Watches a promise. `state()` returns `{ value }` or `{ error }` if the promise has settled, else `"pending"`. */
export function watch<Value>(promise: Promise<Value>): { readonly state: () => unknown } {
  let state: unknown = "pending";
  promise.then(
    (value) => {
      state = { value };
    },
    (error: unknown) => {
      state = { error };
    },
  );
  return { state: () => state };
}
