import { RpcError } from "@acp-kit/protocol";
import { ErrorCode } from "@acp-kit/types";
import type { Dialects } from "./dialects.js";
import { isMembers } from "./members.js";

/** Requests for a session that may not exist any more. */
const aboutSessions: ReadonlySet<string> = new Set([
  "session/load",
  "session/resume",
  "session/prompt",
  "session/delete",
  "session/close",
]);

/** Messages of agents about a session that does not exist. */
const notFound =
  /session (was )?not found|no (previous|such) sessions?|unknown session|session .{0,80}(does not|doesn't) exist|requires a valid session id/i;

/** Converts an error to one of the specification; returns the error itself if no rule applies. */
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

/** The longest error message that is read as JSON: parsing takes many times its size in memory. */
const MAX_JSON_MESSAGE = 65_536;

/** The message in a JSON text. */
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
