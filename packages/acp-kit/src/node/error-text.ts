import { prefixOf } from "@acp-kit/protocol/internal";
import { missingCapabilityText } from "./missing-capability.js";
import { missingProgramText } from "./missing-program.js";
import { remoteErrorText } from "./remote-error-text.js";

/** Maximum length of an agent's text in an error message, in UTF-16 units. */
export const maxErrorLength = 2000;

/** Returns an error's message for the user, with advice in place of details such as the whole `PATH`. */
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
  return error instanceof Error ? error.message : String(error);
}

function shortened(text: string): string {
  const head = prefixOf(text, maxErrorLength);
  return head === text ? text : `${head} … ${text.length - head.length} more characters`;
}
