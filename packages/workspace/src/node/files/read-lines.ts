import type { FileHandle } from "node:fs/promises";
import { refusal } from "./refusal.js";

/** The requested part of a text, and its maximum size. */
export interface LineWindow {
  readonly path: string;
  /** The first line, from 1. */
  readonly line?: number | null | undefined;
  /** Maximum number of lines. */
  readonly limit?: number | null | undefined;
  readonly maxReadBytes: number;
  readonly maxScanBytes: number;
}

const CHUNK_BYTES = 65_536;
const NEWLINE = 0x0a;

/**
 * Returns the requested range of lines unchanged, including line endings and the byte order mark. Lines end at `\n`;
 * consecutive ranges contain all of the text. After the last line the result is `""`.
 *
 * @throws {RpcError} for text that is not UTF-8, and for text that exceeds a limit.
 * @see https://agentclientprotocol.com/protocol/v1/file-system#reading-files
 */
export async function readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  window: LineWindow,
): Promise<string> {
  const { path, maxReadBytes, maxScanBytes } = window;
  const first = Math.max(window.line ?? 1, 1);
  const end = first + (window.limit ?? Number.POSITIVE_INFINITY);
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let scannedBytes = 0;
  let line = 1;
  for await (const chunk of chunks) {
    if (line >= end) break;
    const start = skipLines(chunk, 0, first - line);
    line += start.lines;
    const stop = line < first ? { offset: start.offset, lines: 0 } : skipLines(chunk, start.offset, end - line);
    line += stop.lines;
    const part = chunk.subarray(start.offset, stop.offset);
    keptBytes += part.length;
    scannedBytes += chunk.length;
    if (chunk.subarray(0, stop.offset).includes(0)) throw notText(path);
    if (keptBytes > maxReadBytes) throw tooLarge(path, maxReadBytes, "read the file in parts, with line and limit");
    if (part.length > 0) kept.push(part);
    if (scannedBytes > maxScanBytes && line < end)
      throw tooLarge(path, maxScanBytes, "the requested lines are too far from the start of the file");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(kept));
  } catch {
    throw notText(path);
  }
}

/** Reads an open file until `signal` aborts, not up to its reported size, which can be 0 or change. */
export async function* chunksOf(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Skips `count` lines from `offset` on, at most to the end of the chunk. Returns the new offset and the number of
 * skipped lines. It compares each byte, because a call of `indexOf` for each newline is far slower in a file of short
 * lines.
 */
function skipLines(chunk: Uint8Array, offset: number, count: number): { offset: number; lines: number } {
  if (count === Number.POSITIVE_INFINITY) return { offset: chunk.length, lines: 0 };
  let at = offset;
  let lines = 0;
  while (lines < count && at < chunk.length) {
    if (chunk[at] === NEWLINE) lines += 1;
    at += 1;
  }
  return { offset: at, lines };
}

export function tooLarge(path: string, limit: number, advice: string): Error {
  return refusal("too_large", path, `more than ${limit} bytes: ${advice}`, { limit });
}

function notText(path: string): Error {
  return refusal("not_text", path, "not UTF-8 text");
}
