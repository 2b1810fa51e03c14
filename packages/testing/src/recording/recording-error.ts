const brand = Symbol.for("acp-kit.RecordingError");

/** The reasons why a recording can't be read. */
export type RecordingErrorCode = "not_a_recording" | "newer_version" | "empty";

/** A recording can't be read. Single lines that can't be read are in `problems` instead. */
export class RecordingError extends Error {
  static {
    Object.defineProperty(RecordingError.prototype, brand, { value: true });
  }
  override readonly name = "RecordingError";
  readonly code: RecordingErrorCode;

  constructor(code: RecordingErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns whether an error is a `RecordingError`, even if the package is installed twice or the error was created in
 * another JavaScript realm, such as an iframe.
 */
export function isRecordingError(value: unknown): value is RecordingError {
  return typeof value === "object" && value !== null && brand in value;
}
