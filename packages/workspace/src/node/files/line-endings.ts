import { constants } from "node:fs";
import type { FileSystem } from "./file-system.js";
import { chunksOf } from "./read-lines.js";

/** The properties of a text that an agent may change by rewriting the file: line endings and byte order mark. */
export interface LineEndings {
  /** `undefined` if the text has no line endings, or both kinds. */
  readonly newline: "\n" | "\r\n" | undefined;
  readonly byteOrderMark: boolean;
}

/** The number of bytes that are searched for line endings, and the signal that stops the search. */
export interface ScanLimits {
  readonly maxScanBytes: number;
  readonly signal: AbortSignal;
}

const MARK = "\uFEFF";
const MARK_BYTES = Buffer.from(MARK);
const LF = 0x0a;
const CR = 0x0d;

/**
 * Returns the line endings and the byte order mark of an existing file. A file larger than `maxScanBytes` is
 * treated like a file with both kinds of line endings, because it may contain both.
 */
export async function lineEndingsOf(
  path: string,
  { maxScanBytes, signal }: ScanLimits,
  fileSystem: Pick<FileSystem, "open">,
): Promise<LineEndings> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = await fileSystem.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    return await scan(chunksOf(handle, signal), maxScanBytes);
  } finally {
    await handle.close();
  }
}

async function scan(chunks: AsyncIterable<Uint8Array>, maxScanBytes: number): Promise<LineEndings> {
  let byteOrderMark: boolean | undefined;
  let hasCrlf = false;
  let hasLf = false;
  let previous = 0;
  let scannedBytes = 0;
  for await (const chunk of chunks) {
    byteOrderMark ??= MARK_BYTES.equals(chunk.subarray(0, MARK_BYTES.length));
    for (const byte of chunk) {
      if (byte === LF && previous === CR) hasCrlf = true;
      else if (byte === LF) hasLf = true;
      previous = byte;
    }
    scannedBytes += chunk.length;
    if ((hasCrlf && hasLf) || scannedBytes > maxScanBytes) return { newline: undefined, byteOrderMark };
  }
  const newline = hasCrlf === hasLf ? undefined : hasCrlf ? "\r\n" : "\n";
  return { newline, byteOrderMark: byteOrderMark ?? false };
}

/** Gives a text the line endings and the byte order mark of an existing file. */
export function withLineEndings(text: string, { newline, byteOrderMark }: LineEndings): string {
  const lines = newline === undefined ? text : text.replace(/\r?\n/g, newline);
  return byteOrderMark && !lines.startsWith(MARK) ? MARK + lines : lines;
}
