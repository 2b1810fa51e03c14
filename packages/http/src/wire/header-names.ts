/**
 * The headers of the remote transport, and the headers that acp-kit adds between its own client and server. All names
 * are in lower case.
 */
export const headerNames = {
  /** Names the connection on every request after `initialize`. */
  connection: "acp-connection-id",
  /** Names the session on requests that belong to one. */
  session: "acp-session-id",
  /** The {@link features} of the client on the request `initialize`, and those of the server on its response. */
  features: "acp-kit-features",
  /** The number of a POST within its connection, from 1. The server restores the order and executes each number once. */
  sequence: "acp-kit-sequence",
  /** The number of events of a stream that the client has received, when it opens the stream again. */
  received: "acp-kit-received",
} as const;

/**
 * The additions to the specification. A client and a server use an addition only if both name it in a header:
 *
 * - `sequence`: POSTs carry a number, so that several POSTs may be in flight at once and each may be repeated.
 * - `resume`: a stream that broke continues after the last event that the client received.
 * - `order`: comments mark where the replay of `session/load` ends in the stream of its session, and where that stream
 *   was opened.
 */
export const features = { sequence: "sequence", resume: "resume", order: "order" } as const;

/** Returns whether the value of a features header contains a feature. */
export function hasFeature(list: string | null | undefined, feature: keyof typeof features): boolean {
  return list?.split(",").some((name) => name.trim() === feature) ?? false;
}

/** The value of a features header with all features. */
export const allFeatures: string = Object.values(features).join(", ");

/**
 * The maximum length of a connection id or session id. The length is limited because ids are compared, stored and
 * logged.
 */
export const MAX_ID_CHARACTERS = 1_024;
