import { isRemoteError } from "@acp-kit/http";
import { tokenVariable } from "./remote-options.js";

/** What a user reads when a remote agent was not reached, or was lost; `undefined` for any other error. */
export function remoteErrorText(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!isRemoteError(cause)) continue;
    const next = cause.code === "unauthorized" ? ` Give a valid token: ${tokenVariable}, or --token-file.` : "";
    return `${cause.message}${next}`;
  }
  return undefined;
}
