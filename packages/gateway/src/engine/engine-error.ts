const brand = Symbol.for("acp-kit.EngineError");

/**
 * The reasons why an operation of an engine fails:
 *
 * - `unavailable`: the storage can't be reached, or did not respond in time. It is unknown whether the operation was
 *   executed.
 * - `full`: the storage is full. The operation was not executed.
 * - `corrupt`: the stored data can't be read.
 * - `exists`: a session or a replica with the id of the new one exists already.
 * - `unsuitable`: the storage server does not accept the credentials, has the wrong version or settings, or has data of
 *   a newer gateway. This error is thrown when an engine is opened, before the engine writes anything.
 * - `bad_cursor`: this engine did not create the cursor of a list.
 * - `closed`: the engine, or the membership, was closed.
 */
export type EngineErrorCode = "unavailable" | "full" | "corrupt" | "exists" | "unsuitable" | "bad_cursor" | "closed";

/**
 * The error of a failed engine operation. The outcome of the operation is unknown only if the code is `unavailable`.
 */
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

/**
 * Whether an error is an `EngineError`, even if the package is installed twice or the error was created in another
 * JavaScript realm, such as an iframe.
 */
export function isEngineError(value: unknown): value is EngineError {
  return typeof value === "object" && value !== null && brand in value;
}

/** Whether an error means that stored data can't be read. To repeat the operation does not help. */
export function isCorrupt(error: unknown): error is EngineError {
  return isEngineError(error) && error.code === "corrupt";
}
