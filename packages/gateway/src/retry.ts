import { type GatewayClock, sleep } from "./clock.js";
import { isEngineError } from "./engine/engine-error.js";
import { gatewayError } from "./gateway-error.js";

/** The clock and the times that control how operations of an engine are repeated. */
export interface RetryOptions {
  readonly clock: GatewayClock;
  readonly times: { readonly retryMs: number; readonly engineGraceMs: number };
}

/**
 * Runs an operation of an engine, and repeats it for at most `engineGraceMs` while it fails with `unavailable`. The
 * operation must be idempotent.
 *
 * @throws {RpcError} `engine_unavailable`, or an error that {@link engineFailure} returns unchanged.
 */
export async function retry<Result>(work: () => Promise<Result>, { clock, times }: RetryOptions): Promise<Result> {
  const deadline = clock.now() + times.engineGraceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isEngineError(error) || error.code !== "unavailable" || clock.now() >= deadline) throw engineFailure(error);
    }
    await sleep(clock, times.retryMs);
  }
}

/**
 * Replaces an engine's error by `engine_unavailable`, so that clients see no details. Returns the engine's error
 * `bad_cursor`, and errors that are not the engine's, unchanged.
 */
export function engineFailure(error: unknown): unknown {
  if (!isEngineError(error) || error.code === "bad_cursor") return error;
  return gatewayError("engine_unavailable", "Sessions can't be read or written at the moment", { cause: error });
}
