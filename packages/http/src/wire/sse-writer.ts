/** Writes one message as a server-sent event. JSON text has no line ends, so one `data:` line is enough. */
export function eventOf(json: string): string {
  return `data: ${json}\n\n`;
}

/** Writes a comment, which readers of the web platform skip. */
export function commentOf(text: string): string {
  return `: ${text}\n\n`;
}

/**
 * The beginning of each stream: an empty line, which readers of the stream ignore. Some programs send the headers of a response only together with the first
 * bytes of its body, and clients wait for the headers. Bun does so, and nginx over HTTP/2.
 */
export const STREAM_START = "\n";

/** The comment that keeps an idle stream open. */
export const KEEP_ALIVE_COMMENT: string = commentOf("keep-alive");

/** Creates a mark: the comment in the session's stream after the last update of a replay. */
export function markComment(mark: number): string {
  return commentOf(`acp-kit mark ${mark}`);
}

/** The number of a special mark: it follows the events that were queued in a session's stream when the client opened the stream. */
export const OPENED_MARK = 0;

/**
 * Creates the comment before a response in the connection stream. A client of this package delivers the response when the mark with this number has arrived in the
 * stream of the session.
 */
export function behindComment(mark: number, sessionId: string): string {
  return `: acp-kit behind ${mark} ${encodeURIComponent(sessionId)}\n`;
}

/** The content of a comment that {@link markComment} or {@link behindComment} wrote. */
export type OrderComment =
  | { readonly is: "mark"; readonly mark: number }
  | { readonly is: "behind"; readonly mark: number; readonly sessionId: string };

const MARK = /^acp-kit mark (\d{1,15})$/;
const BEHIND = /^acp-kit behind (\d{1,15}) (\S{1,9216})$/;

/**
 * Reads a comment that {@link markComment} or {@link behindComment} wrote. Returns `undefined` for any other comment.
 */
export function readOrderComment(comment: string): OrderComment | undefined {
  if (!comment.startsWith("acp-kit ")) return undefined;
  const mark = MARK.exec(comment);
  if (mark !== null) return { is: "mark", mark: Number(mark[1]) };
  const behind = BEHIND.exec(comment);
  if (behind === null) return undefined;
  try {
    return { is: "behind", mark: Number(behind[1]), sessionId: decodeURIComponent(behind[2] as string) };
  } catch {
    return undefined;
  }
}
