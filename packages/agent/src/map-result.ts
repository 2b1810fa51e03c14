/**
 * Applies a function to the result of a handler. If the handler is synchronous, the mapping is synchronous too, so that
 * the response is sent in the same tick.
 */
export function mapResult<Value, Result>(
  value: Value | PromiseLike<Value>,
  map: (value: Value) => Result,
): Result | PromiseLike<Result> {
  return isPromiseLike(value) ? value.then(map) : map(value);
}

/** Returns whether a value is a promise. */
export function isPromiseLike<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
