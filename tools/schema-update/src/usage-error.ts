/** The command line is invalid; the message contains the reason. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Whether `parseArgs` refused the arguments. Only the code identifies its errors. */
export function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** Whether the operating system refused an operation: a path that can't be written, a full disk. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}
