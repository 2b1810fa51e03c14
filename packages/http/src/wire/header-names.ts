/** The headers of the remote transport, in lower case. */
export const headerNames = {
  /** The id of the connection. Every request after `initialize` has this header. */
  connection: "acp-connection-id",
  /** The id of the session. Requests that belong to a session have this header. */
  session: "acp-session-id",
} as const;

/** Standard headers with which a client of this package asks for more. Other servers ignore them. */
export const standardHeaders = {
  /**
   * Identifies a POST within its connection, so that a server executes a repeated POST once. A server that does so
   * returns the header in its response to `initialize`.
   *
   * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
   */
  idempotencyKey: "idempotency-key",
  /** In a request that opens a stream again: the id of the last event that the client has received. */
  lastEventId: "last-event-id",
  /** In the request `initialize`: {@link RESPONSES_IN_SESSION}. */
  prefer: "prefer",
} as const;

/**
 * The preference (RFC 7240) of a client that opens the stream of a session before it sends a request in the session,
 * and that wants the responses to all of these requests in that stream, also the response to `session/load`.
 */
export const RESPONSES_IN_SESSION = "acp-responses=session-stream";

/** The value of `Last-Event-ID` of a client that has received no event of the stream. */
export const BEFORE_FIRST_EVENT = "0";

/** The maximum length of a connection id or session id. Ids are compared, stored and logged. */
export const MAX_ID_CHARACTERS = 1_024;

/**
 * The JSON-RPC error code (resource not found) in the refusal of a message whose session is not open on the connection.
 * The refusal's status 404 alone could also mean that the server does not know the connection.
 */
export const SESSION_NOT_OPEN = -32_002;
