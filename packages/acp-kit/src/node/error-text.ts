import { isRpcError } from "@acp-kit/client";
import { missingProgramText } from "./missing-program.js";
import { remoteErrorText } from "./remote-error-text.js";

/** How much of an agent's words an error message holds. */
export const maxErrorLength = 2000;

/**
 * The message of an error, for a person. Agents often respond with "Internal error" and put the reason into the error's `data`: that is
 * included. What a user can't act on, such as the whole `PATH`, is replaced by what to do next.
 */
export function errorText(error: unknown): string {
  return shortened(missingProgramText(error) ?? remoteErrorText(error) ?? messageOf(error));
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
