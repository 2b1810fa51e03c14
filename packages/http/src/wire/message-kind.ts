import type { RequestId } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject, MAX_METHOD_LENGTH } from "@acp-kit/jsonrpc/internal";

/** The kind of a message, by which a transport routes it. The connection validates the rest. */
export type MessageKind = "request" | "notification" | "response" | "invalid";

/** Classifies a JSON object by its members. */
export function kindOfMessage(message: JsonObject): MessageKind {
  const { id, method } = message;
  if (typeof method === "string") {
    if (message.jsonrpc !== "2.0" || method.length > MAX_METHOD_LENGTH) return "invalid";
    if (id === undefined) return "notification";
    return isId(id) ? "request" : "invalid";
  }
  if (method != null) return "invalid";
  return ("result" in message || "error" in message) && isId(id) ? "response" : "invalid";
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value) || value === null;
}

/** Returns the session id in the params of a message. */
export function sessionIdOf(message: JsonObject): string | undefined {
  const { params } = message;
  if (!isJsonObject(params)) return undefined;
  return typeof params.sessionId === "string" ? params.sessionId : undefined;
}

/** Returns the id of the session that a response to `session/new` or `session/fork` creates. */
export function createdSessionOf(message: JsonObject): string | undefined {
  const { result } = message;
  return isJsonObject(result) && typeof result.sessionId === "string" ? result.sessionId : undefined;
}

/** Returns whether the agent replays a session before it responds to a request. */
export function replaysSession({ method, params }: JsonObject): boolean {
  if (method === "session/load") return true;
  return method === "session/resume" && isJsonObject(params) && isJsonObject(params.replayFrom); // version 2
}

/** Methods that open a saved session. */
const opening: ReadonlySet<string> = new Set(["session/load", "session/resume"]);

/** Returns whether the method opens a saved session on this connection. */
export function opensSession(method: string): boolean {
  return opening.has(method);
}

const unopened: ReadonlySet<string> = new Set(["session/fork", "session/delete", "session/close"]);

/** Returns whether the params of the method may name a session that is not open on this connection. */
export function acceptsUnopenedSession(method: string): boolean {
  return opening.has(method) || unopened.has(method);
}

/** Returns whether the method creates a session. The result of such a method contains the session's id. */
export function createsSession(method: string): boolean {
  return method === "session/new" || method === "session/fork";
}

/** Returns whether the method ends a session and its stream. */
export function endsSession(method: string): boolean {
  return method === "session/close" || method === "session/delete";
}
