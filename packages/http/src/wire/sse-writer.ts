/** One message as a server-sent event. JSON text has no line ends, so that one `data:` line holds it. */
export function eventOf(json: string): string {
  return `data: ${json}\n\n`;
}

/** A comment: every reader skips it. */
export function commentOf(text: string): string {
  return `: ${text}\n\n`;
}

/** The comment that keeps a quiet stream alive. */
export const KEEP_ALIVE_COMMENT: string = commentOf("keep-alive");

/** The comment behind the last update of a replay, in the stream of the session. */
export function markComment(mark: number): string {
  return commentOf(`acp-kit mark ${mark}`);
}

/** The mark that ends what a session's stream held when a client opened it: what follows was sent later. */
export const OPENED_MARK = 0;

/** The comment before a response, in the connection stream: deliver the response behind that mark of that session. */
export function behindComment(mark: number, sessionId: string): string {
  return `: acp-kit behind ${mark} ${encodeURIComponent(sessionId)}\n`;
}

/** What a comment of ours says. */
export type OrderComment =
  | { readonly is: "mark"; readonly mark: number }
  | { readonly is: "behind"; readonly mark: number; readonly sessionId: string };

const MARK = /^acp-kit mark (\d{1,15})$/;
const BEHIND = /^acp-kit behind (\d{1,15}) (\S{1,9216})$/;

/** Reads a comment of {@link markComment} or {@link behindComment}; `undefined` for every other. */
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
