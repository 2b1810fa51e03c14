/**
 * The headers of the remote transport, and the headers that acp-kit adds between its own client and server. All names
 * are in lower case.
 */
export const headerNames = {
  /** The id of the connection. Every request after `initialize` has this header. */
  connection: "acp-connection-id",
  /** The id of the session. Requests that belong to a session have this header. */
  session: "acp-session-id",
  /** In the request `initialize`, the {@link features} of the client; in the response, those of the server. */
  features: "acp-kit-features",
  /** The number of a POST within its connection, from 1. The server restores the order and executes each number once. */
  sequence: "acp-kit-sequence",
  /** In a request that opens a stream again: the number of events of this stream that the client has received. */
  received: "acp-kit-received",
} as const;

/**
 * The names of this package's additions to the specification. A client and a server use an addition only if both send its name in the header `features`:
 *
 * - `sequence`: POSTs have a number, so that the client may send several POSTs before the first response, and may repeat each POST.
 * - `resume`: if a stream breaks, the client opens it again and receives the events after the last event that it received.
 * - `order`: the server adds comments to the stream of a session. They mark the end of a replay (`session/load`) and
 *   the point at which the client opened the stream.
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

/**
 * The JSON-RPC error code (resource not found) in the refusal of a message whose session is not open on the connection. The refusal's status 404 alone could also mean that the
 * server does not know the connection.
 */
export const SESSION_NOT_OPEN = -32_002;
