import { isCapabilityError } from "@acp-kit/client";

/** The requests that an agent may not support, in the words of a user: "The agent can't …". */
const deeds: Readonly<Record<string, string>> = {
  logout: "log out",
  "session/close": "close a session",
  "session/delete": "delete a session",
  "session/list": "list its sessions",
  "session/load": "show the history of a session, or continue it",
  "session/resume": "continue a session",
};

/** Returns the message for a request that the agent does not support. */
export function missingCapabilitySentence(method: string): string {
  const deed = Object.hasOwn(deeds, method) ? deeds[method] : "do this";
  return `The agent can't ${deed}: it does not support ${method}.`;
}

/**
 * Returns the message for an error because the agent does not support a request. Returns `undefined` for any other
 * error. The original message is for programmers: it contains the name of a capability.
 */
export function missingCapabilityText(error: unknown): string | undefined {
  if (!isCapabilityError(error)) return undefined;
  if (Object.hasOwn(deeds, error.method)) return missingCapabilitySentence(error.method);
  // Some errors have messages of their own.
  if (!error.message.endsWith("which the peer did not advertise")) return undefined;
  return `The agent does not support ${error.method}: it does not advertise ${error.capability}.`;
}
