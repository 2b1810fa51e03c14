import { isRemoteError, type RemoteError } from "@acp-kit/http";
import { tokenVariable } from "./remote-options.js";

/** Returns the message for a remote agent that can't be reached or is lost; `undefined` for other errors. */
export function remoteErrorText(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!isRemoteError(cause)) continue;
    return `${cause.message}${nextStep(cause)}`;
  }
  return undefined;
}

function nextStep({ code, status, url }: RemoteError): string {
  if (code === "unauthorized") return ` Give a valid token with --token-file or in ${tokenVariable}.`;
  const { pathname } = new URL(url);
  if (status === 404 && pathname === "/") return " The URL has no path: most agents are served at /acp.";
  if (status === 404 && pathname.endsWith("/")) return " The path ends with a slash: try the URL without it.";
  return "";
}
