import { RpcError } from "@acp-kit/protocol";
import { ErrorCode } from "@acp-kit/types/decode";
import type { Dialects } from "./dialects.js";
import { isMembers } from "./members.js";

/** The requests that can fail because their session does not exist. */
const aboutSessions: ReadonlySet<string> = new Set([
  "session/load",
  "session/resume",
  "session/prompt",
  "session/delete",
  "session/close",
]);

/** Matches the messages by which agents say that a session does not exist. */
const notFound =
  /session (was )?not found|no (previous|such) sessions?|unknown session|session .{0,80}(does not|doesn't) exist|requires a valid session id/i;

/** Converts an error to the error that the specification defines. Returns the error itself if no rule applies. */
export function readError(dialects: Dialects, method: string, error: RpcError): RpcError {
  const { code, message, data } = error;
  if (code !== ErrorCode.resourceNotFound && aboutSessions.has(method) && dialects.allows("session-not-found")) {
    const details = isMembers(data) && typeof data.details === "string" ? data.details : "";
    if (notFound.test(message) || notFound.test(details)) {
      dialects.markNeeded("session-not-found", method);
      return new RpcError(ErrorCode.resourceNotFound, details || message, { data, cause: error });
    }
  }
  const inner = dialects.allows("json-error-message") ? messageIn(message) : undefined;
  if (inner === undefined) return error;
  dialects.markNeeded("json-error-message", method);
  return new RpcError(code, inner, { data, cause: error });
}

/** The length of the longest error message that is parsed as JSON, because parsing takes many times that size in memory. */
const MAX_JSON_MESSAGE = 65_536;

/** Returns the error message inside a JSON text, or `undefined` if there is none. */
function messageIn(message: string): string | undefined {
  if (message.length > MAX_JSON_MESSAGE || !message.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(message);
    if (!isMembers(value)) return undefined;
    const { error = value } = value;
    if (typeof error === "string") return error;
    return isMembers(error) && typeof error.message === "string" ? error.message : undefined;
  } catch {
    return undefined; // not JSON
  }
}
