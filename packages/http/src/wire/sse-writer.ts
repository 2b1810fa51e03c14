/** Writes one message as a server-sent event. JSON text has no line ends, so one `data:` line is enough. */
export function eventOf(json: string): string {
  return `data: ${json}\n\n`;
}

/**
 * The beginning of each stream: an empty line, which readers of the stream ignore. Some programs send the headers of a
 * response only together with the first bytes of its body, and clients wait for the headers. Bun does so, and nginx
 * over HTTP/2.
 */
export const STREAM_START = "\n";

/** The comment that keeps an idle stream open. Readers of the web platform skip comments. */
export const KEEP_ALIVE_COMMENT = ": keep-alive\n\n";
