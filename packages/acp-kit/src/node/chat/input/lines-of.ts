import type { Readable } from "node:stream";

/**
 * Splits a stream into lines, without their endings (`\n` or `\r\n`). Text after the last ending is also a line. This
 * function replaces `readline`, because `readline` of Node 24 also ends lines at U+2028 and U+2029, which a prompt may
 * contain.
 */
export async function* linesOf(stream: Readable): AsyncGenerator<string, void, undefined> {
  let rest = "";
  for await (const text of stream.setEncoding("utf8") as AsyncIterable<string>) {
    const [first = "", ...lines] = text.split("\n");
    rest += first;
    for (const line of lines) {
      yield withoutReturn(rest);
      rest = line;
    }
  }
  if (rest !== "") yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
