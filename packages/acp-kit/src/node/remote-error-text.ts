import { isRemoteError } from "@acp-kit/http";
import { tokenVariable } from "./remote-options.js";

/** Returns the message for a remote agent that can't be reached, or whose connection is lost; `undefined` for any other error. */
export function remoteErrorText(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!isRemoteError(cause)) continue;
    const next = cause.code === "unauthorized" ? ` Give a valid token with --token-file or in ${tokenVariable}.` : "";
    return `${cause.message}${next}`;
  }
  return undefined;
}
