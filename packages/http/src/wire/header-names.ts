/** The headers of the remote transport, in lower case, and those that acp-kit adds between its own client and server. */
export const headerNames = {
  /** Names the connection on every request after `initialize`. */
  connection: "acp-connection-id",
  /** Names the session on requests that belong to one. */
  session: "acp-session-id",
  /** On the `initialize` request: what our client can do. On its response: what our server does. See {@link features}. */
  features: "acp-kit-features",
  /** The number of a POST within its connection, from 1. The server restores the order and executes each number once. */
  sequence: "acp-kit-sequence",
  /** How many events of a stream the client has received when it opens the stream again. */
  received: "acp-kit-received",
} as const;

/**
 * Additions to the specification, used only where both sides name them:
 *
 * - `sequence`: POSTs carry a number, so that several may be on their way at once and each may be retried.
 * - `resume`: a stream that broke continues behind the last event that the client received.
 * - `order`: comments mark where the replay of `session/load` ends in the stream of its session, and where that stream was opened.
 */
export const features = { sequence: "sequence", resume: "resume", order: "order" } as const;

/** Whether a list of features, as a header carries it, names one. */
export function hasFeature(list: string | null | undefined, feature: keyof typeof features): boolean {
  return list?.split(",").some((name) => name.trim() === feature) ?? false;
}

/** All features, as a header carries them. */
export const allFeatures: string = Object.values(features).join(", ");

/** An id longer than this is refused: ids are compared, stored and logged. */
export const MAX_ID_CHARACTERS = 1_024;
