import { RpcError } from "@acp-kit/protocol";
import { ErrorCode } from "@acp-kit/types";
import type { Dialects } from "./dialects.js";
import { isMembers } from "./members.js";

/** Requests that name a session which may be gone. */
const aboutSessions: ReadonlySet<string> = new Set([
  "session/load",
  "session/resume",
  "session/prompt",
  "session/delete",
  "session/close",
]);

/** How agents say it. */
const notFound =
  /session (was )?not found|no (previous|such) sessions?|unknown session|session .{0,80}(does not|doesn't) exist|requires a valid session id/i;

/** An error as the specification would have it; the error itself when no rule applies. */
export function readError(dialects: Dialects, method: string, error: RpcError): RpcError {
  const { code, message, data } = error;
  if (code !== ErrorCode.resourceNotFound && aboutSessions.has(method) && dialects.allows("session-not-found")) {
    const details = isMembers(data) && typeof data.details === "string" ? data.details : "";
    if (notFound.test(message) || notFound.test(details)) {
      dialects.heard("session-not-found", method);
      return new RpcError(ErrorCode.resourceNotFound, details || message, { data, cause: error });
    }
  }
  const inner = dialects.allows("json-error-message") ? messageIn(message) : undefined;
  if (inner === undefined) return error;
  dialects.heard("json-error-message", method);
  return new RpcError(code, inner, { data, cause: error });
}

/** The longest error message that is read as JSON: to parse one costs many times its size. */
const MAX_JSON_MESSAGE = 65_536;

/** The message inside of a message that is a JSON text. */
function messageIn(message: string): string | undefined {
  if (message.length > MAX_JSON_MESSAGE || !message.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(message);
    if (!isMembers(value)) return undefined;
    const { error = value } = value;
    if (typeof error === "string") return error;
    return isMembers(error) && typeof error.message === "string" ? error.message : undefined;
  } catch {
    return undefined; // it only looks like one
  }
}
