import { isRpcError } from "@acp-kit/client";
import { missingCapabilityText } from "./missing-capability.js";
import { missingProgramText } from "./missing-program.js";
import { remoteErrorText } from "./remote-error-text.js";

/** Maximum length of an agent's text in an error message, in UTF-16 units. */
export const maxErrorLength = 2000;

/**
 * Returns the message of an error for the user. The message includes the error's `data`, because agents often respond
 * with "Internal error" and put the reason into `data`. Details that don't help a user, such as the whole `PATH`, are
 * replaced by advice on what to do.
 */
export function errorText(error: unknown): string {
  return shortened(
    missingProgramText(error) ?? missingCapabilityText(error) ?? remoteErrorText(error) ?? messageOf(error),
  );
}

/** Returns the message for an error of a write to standard output, such as a full disk. */
export function outputFailureText({ message }: Error): string {
  return `Can't write to standard output, so the result is incomplete: ${message}`;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isRpcError(error)) return error.message;
  const { data } = error;
  const { details, message } = (typeof data === "object" && data !== null ? data : { details: data }) as Partial<
    Record<"details" | "message", unknown>
  >;
  const more = [details, message].find((each) => typeof each === "string" && each !== "");
  return more === undefined || error.message.includes(String(more)) ? error.message : `${error.message}: ${more}`;
}

function shortened(text: string): string {
  if (text.length <= maxErrorLength) return text;
  return `${text.slice(0, maxErrorLength)} … ${text.length - maxErrorLength} more characters`;
}
