import { isThenable } from "@acp-kit/protocol/internal";

/**
 * Applies a function to the result of a handler. If the handler is synchronous, the mapping is synchronous too, so that
 * the response is sent in the same tick.
 */
export function mapResult<Value, Result>(
  value: Value | PromiseLike<Value>,
  map: (value: Value) => Result,
): Result | PromiseLike<Result> {
  return isThenable(value) ? value.then(map) : map(value);
}
