import { EngineError, type EngineErrorCode, isEngineError } from "@acp-kit/gateway/engine";
import { ErrorReply } from "@redis/client";

/**
 * The error codes for the first word of an error reply. With these replies, the command was not executed, and would
 * fail again. Any other failure is `unavailable`.
 */
const replies: Readonly<Record<string, EngineErrorCode>> = {
  OOM: "full",
  WRONGTYPE: "corrupt",
  CROSSSLOT: "corrupt",
  ERR: "corrupt",
};

/** Converts a failure of Redis, or of its connection, to an `EngineError`. */
export function redisFailure(error: unknown, where: string): EngineError {
  if (isEngineError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const [word = ""] = message.split(" ", 1);
  const code = error instanceof ErrorReply ? (replies[word] ?? "unavailable") : "unavailable";
  return new EngineError(code, `Redis at ${where} failed: ${message || "the connection was lost"}`, { cause: error });
}

/** Whether an error is an error reply of the server that begins with one of these words. */
export function isReply(error: unknown, ...words: readonly string[]): error is Error {
  return error instanceof ErrorReply && words.includes(error.message.split(" ", 1)[0] ?? "");
}
