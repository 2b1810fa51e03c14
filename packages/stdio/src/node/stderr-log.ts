import type { Readable } from "node:stream";
import { callQuietly } from "@acp-kit/jsonrpc/internal";
import { createTextDecoder } from "../decode-text.js";
import { LineReader } from "../line-reader.js";

/** The size in bytes above which a line of standard error is cut. */
const MAX_LINE_BYTES = 65_536;

/** The kept chunks are joined when there are this many, plus one for each 64 bytes of `tailBytes`. */
const MAX_CHUNKS = 1_024;

/**
 * Reads the standard error of a process, so that the process never blocks when it writes to standard error. Keeps the
 * end of the text, and passes each line to a listener.
 */
export class StderrLog {
  readonly #stream: Readable;
  readonly #tailBytes: number;
  readonly #lines: LineReader | undefined;
  #chunks: Buffer[] = [];
  #kept = 0;

  constructor(stream: Readable, tailBytes: number, onLine?: (line: string) => void) {
    this.#stream = stream;
    this.#tailBytes = tailBytes;
    if (onLine !== undefined) {
      const notify = (line: string): void => callQuietly(() => onLine(line));
      const sink = {
        line: (text: string) => notify(text.endsWith("\r") ? text.slice(0, -1) : text),
        tooLong: (excerpt: string) => notify(`${excerpt} … (a line over ${MAX_LINE_BYTES} bytes, cut)`),
      };
      this.#lines = new LineReader(sink, createTextDecoder(), MAX_LINE_BYTES);
    }
    stream.on("data", (chunk: Buffer) => this.#push(chunk));
    stream.on("end", () => this.#lines?.end());
    stream.on("error", () => {}); // if reading standard error fails, the agent has not failed
  }

  /** The end of the output so far. */
  get tail(): string {
    const bytes = lastBytes(Buffer.concat(this.#chunks), this.#tailBytes);
    let start = 0;
    // The tail must not begin in the middle of a character
    while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return bytes.toString("utf8", start);
  }

  /** Releases the stream, even if another process holds its other end. */
  close(): void {
    this.#stream.destroy();
  }

  #push(chunk: Buffer): void {
    this.#lines?.push(chunk);
    const part = chunk.length > this.#tailBytes ? Buffer.from(lastBytes(chunk, this.#tailBytes)) : chunk;
    this.#chunks.push(part);
    this.#kept += part.length;
    if (this.#kept < this.#tailBytes * 2 && this.#chunks.length < MAX_CHUNKS + this.#tailBytes / 64) return;
    // Each byte is copied a bounded number of times, however small the chunks are, and small chunks don't keep large
    // buffers in memory.
    const tail = Buffer.from(lastBytes(Buffer.concat(this.#chunks), this.#tailBytes));
    this.#chunks = tail.length === 0 ? [] : [tail];
    this.#kept = tail.length;
  }
}

/** Returns the last bytes of a buffer. `subarray(-count)` would return all of it if `count` is 0. */
function lastBytes(bytes: Buffer, count: number): Buffer {
  return bytes.subarray(Math.max(0, bytes.length - count));
}
