import { RpcError } from "@acp-kit/protocol";
import { ErrorCode } from "@acp-kit/types/decode";
import type { Dialects } from "./dialects.js";
import { jsonIn, reasonIn } from "./error-reason.js";

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
  const { code, data } = error;
  const reason = reasonIn(data);
  if (code !== ErrorCode.resourceNotFound && aboutSessions.has(method) && dialects.allows("session-not-found")) {
    if (notFound.test(error.message) || (reason !== undefined && notFound.test(reason))) {
      dialects.markNeeded("session-not-found", method);
      return new RpcError(ErrorCode.resourceNotFound, reason ?? error.message, { data, cause: error });
    }
  }
  let { message } = error;
  const inner = dialects.allows("json-error-message") ? reasonIn(jsonIn(message)) : undefined;
  if (inner !== undefined) {
    dialects.markNeeded("json-error-message", method);
    message = inner;
  }
  if (reason !== undefined && !message.includes(reason.replace(/…$/, "")) && dialects.allows("reason-in-data")) {
    dialects.markNeeded("reason-in-data", method);
    message = message === "" ? reason : `${message}: ${reason}`;
  }
  return message === error.message ? error : new RpcError(code, message, { data, cause: error });
}
