import { type GatewayClock, sleep } from "../clock.js";
import { isEngineError } from "../engine/engine-error.js";
import { gatewayError } from "../gateway-error.js";

/** How long and how often engine work is repeated. */
export interface RetryOptions {
  readonly clock: GatewayClock;
  readonly times: { readonly retryMs: number; readonly engineGraceMs: number };
}

/**
 * Repeats engine work that failed for the moment, for at most `engineGraceMs`. The work must be one that may be done twice.
 *
 * @throws {RpcError} `engine_unavailable`, or what {@link engineFailure} leaves as it is.
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

/** What a client is shown of an engine's error: only that it failed. Other errors, and that of a list's cursor, stay as they are. */
export function engineFailure(error: unknown): unknown {
  if (!isEngineError(error) || error.code === "bad_cursor") return error;
  return gatewayError("engine_unavailable", "Sessions can't be read or written at the moment", { cause: error });
}
