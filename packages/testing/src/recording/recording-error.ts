const brand = Symbol.for("acp-kit.RecordingError");

/** The problem of a recording: it is not one, or its version is too new. */
export type RecordingErrorCode = "not_a_recording" | "newer_version" | "empty";

/** A recording can't be used. Single lines that can't be read are not an error: they are listed in `problems`. */
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

/** Works across duplicate installs and realms, where `instanceof` does not. */
export function isRecordingError(value: unknown): value is RecordingError {
  return typeof value === "object" && value !== null && brand in value;
}
