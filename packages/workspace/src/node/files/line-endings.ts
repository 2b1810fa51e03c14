import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** What can be lost when an agent writes a file anew. */
export interface LineEndings {
  /** `undefined` where there are none, or both. */
  readonly newline: "\n" | "\r\n" | undefined;
  readonly byteOrderMark: boolean;
}

const MARK = "\uFEFF";
/** Where a file begins to mix its line ends is of no interest. */
const LOOK_AT_BYTES = 262_144;

/** The line ends and the byte order mark of a file that is there. */
export async function lineEndingsOf(path: string): Promise<LineEndings> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOK_AT_BYTES), 0, LOOK_AT_BYTES, 0);
    const text = buffer.toString("utf8", 0, bytesRead);
    const crlf = text.includes("\r\n");
    const lf = /(?<!\r)\n/.test(text);
    return { newline: crlf === lf ? undefined : crlf ? "\r\n" : "\n", byteOrderMark: text.startsWith(MARK) };
  } finally {
    await handle.close();
  }
}

/** A text with the line ends, and the byte order mark, of another. */
export function withLineEndings(text: string, { newline, byteOrderMark }: LineEndings): string {
  const lines = newline === undefined ? text : text.replace(/\r?\n/g, newline);
  return byteOrderMark && !lines.startsWith(MARK) ? MARK + lines : lines;
}
