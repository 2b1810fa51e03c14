import type { Readable } from "node:stream";

/**
 * Calls `onLine` for each line of a stream. `readline` of Node 24 also ends lines at U+2028 and U+2029, which JSON may
 * hold unescaped.
 */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}
