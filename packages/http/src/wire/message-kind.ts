import type { RequestId } from "@acp-kit/jsonrpc";

/** A JSON object, before anything is known of it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a message is, as far as a transport routes by it. The connection above judges the whole envelope. */
export type MessageKind = "request" | "notification" | "response" | "invalid";

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Classifies a JSON object by its members. */
export function kindOfMessage(message: JsonObject): MessageKind {
  const { id, method } = message;
  if (typeof method === "string") {
    if (message.jsonrpc !== "2.0") return "invalid";
    if (id === undefined) return "notification";
    return isId(id) ? "request" : "invalid";
  }
  if (method != null) return "invalid";
  return ("result" in message || "error" in message) && isId(id) ? "response" : "invalid";
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value) || value === null;
}

/** The session that a message names in its params. */
export function sessionIdOf(message: JsonObject): string | undefined {
  const { params } = message;
  if (!isJsonObject(params)) return undefined;
  return typeof params.sessionId === "string" ? params.sessionId : undefined;
}

/** The session that a result creates: of `session/new` and `session/fork`. */
export function createdSessionOf(message: JsonObject): string | undefined {
  const { result } = message;
  return isJsonObject(result) && typeof result.sessionId === "string" ? result.sessionId : undefined;
}

/** Methods that may name a session which the connection does not know yet. */
const opening: ReadonlySet<string> = new Set(["session/load", "session/resume"]);

/** The method opens a saved session on this connection. */
export function opensSession(method: string): boolean {
  return opening.has(method);
}

const unopened: ReadonlySet<string> = new Set(["session/fork", "session/delete", "session/close"]);

/** The method may name a session that is not open on this connection. */
export function acceptsUnopenedSession(method: string): boolean {
  return opening.has(method) || unopened.has(method);
}

/** The method creates a session, whose id its result has. */
export function createsSession(method: string): boolean {
  return method === "session/new" || method === "session/fork";
}

/** The method ends a session, and with it the stream of the session. */
export function endsSession(method: string): boolean {
  return method === "session/close" || method === "session/delete";
}
