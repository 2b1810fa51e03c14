import { isRemoteError } from "@acp-kit/http";
import { tokenVariable } from "./remote-options.js";

/** What a user reads when a remote agent was not reached, or was lost; `undefined` for any other error. */
export function remoteErrorText(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!isRemoteError(cause)) continue;
    const next = cause.code === "unauthorized" ? ` Name a valid one with --token-file or in ${tokenVariable}.` : "";
    return `${cause.message}${next}`;
  }
  return undefined;
}
