const brand = Symbol.for("acp-kit.EngineError");

/**
 * Why an engine could not do its work:
 *
 * - `unavailable`: it can't be reached, or did not respond in time. Whether the work was done is unknown.
 * - `full`: there is no room. Nothing was done.
 * - `corrupt`: what it holds can't be read.
 * - `exists`: the session to create exists already.
 * - `unsuitable`: it can't be used as it is: it does not accept the credentials, has the wrong version or settings, or data of a newer gateway.
 *   Thrown when an engine is opened, before anything is written.
 * - `bad_cursor`: the cursor of a list is not one of this engine.
 * - `closed`: the engine, or the membership, was closed.
 */
export type EngineErrorCode = "unavailable" | "full" | "corrupt" | "exists" | "unsuitable" | "bad_cursor" | "closed";

/** An engine could not do its work. Only `unavailable` leaves the outcome unknown. */
export class EngineError extends Error {
  static {
    Object.defineProperty(EngineError.prototype, brand, { value: true });
  }
  override readonly name = "EngineError";
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}

/** Holds across duplicate installs and realms, where `instanceof` does not. */
export function isEngineError(value: unknown): value is EngineError {
  return typeof value === "object" && value !== null && brand in value;
}
