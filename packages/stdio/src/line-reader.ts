import type { DecodeText } from "./decode-text.js";
import { excerptOf } from "./limits.js";
import { PartialLine } from "./partial-line.js";

/** The callbacks of a {@link LineReader}. */
export interface LineSink {
  /** Receives a line without its `\n`, but with a `\r` before it, which JSON ignores, and its `size` in bytes. */
  line(text: string, size: number): void;
  /** Called once for a line, as soon as the line exceeds the limit. The reader skips the rest of the line. */
  tooLong(excerpt: string, size: number): void;
}

const NEWLINE = 0x0a;
const EXCERPT_BYTES = 800;

/**
 * Splits bytes into lines, at `\n` only. Some other readers also split at U+2028, but that character is legal inside
 * JSON.
 *
 * If the complete lines of a chunk are ASCII, they are decoded together, which is fastest. Otherwise the lines are
 * decoded one by one, because a single character outside Latin-1 would double the memory of all lines. No byte is
 * scanned or copied twice.
 */
export class LineReader {
  readonly #sink: LineSink;
  readonly #decode: DecodeText;
  readonly #maxBytes: number;
  /** The prefix of a line whose end has not arrived. */
  readonly #partial: PartialLine;
  /** Whether the rest of a line that exceeds the limit is being skipped. */
  #skipping = false;
  #lastWasAscii = true;

  constructor(sink: LineSink, decode: DecodeText, maxBytes: number) {
    this.#sink = sink;
    this.#decode = decode;
    this.#maxBytes = maxBytes;
    this.#partial = new PartialLine(decode);
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    if (this.#skipping || this.#partial.size > 0) {
      const newline = chunk.indexOf(NEWLINE);
      if (newline === -1) {
        this.#collect(chunk, 0);
        return;
      }
      this.#finishPartial(chunk, newline);
      start = newline + 1;
    }
    const end = chunk.lastIndexOf(NEWLINE);
    if (end >= start) {
      this.#completeLines(chunk, start, end + 1);
      start = end + 1;
    }
    if (start < chunk.length) this.#collect(chunk, start);
  }

  /** Called when the input has ended: reads the text after the last newline as a line. */
  end(): void {
    if (!this.#skipping && this.#partial.size > 0) this.#emitPartial();
    this.#skipping = false;
  }

  #collect(chunk: Uint8Array, start: number): void {
    if (this.#skipping) return;
    const size = this.#partial.size + chunk.length - start;
    if (size <= this.#maxBytes) {
      this.#partial.append(chunk, start, chunk.length);
      return;
    }
    this.#tooLongPartial(chunk, start, size);
    this.#skipping = true;
  }

  #finishPartial(chunk: Uint8Array, newline: number): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    const size = this.#partial.size + newline;
    if (size <= this.#maxBytes) {
      this.#partial.append(chunk, 0, newline);
      this.#emitPartial();
    } else {
      this.#tooLongPartial(chunk, 0, size);
    }
  }

  #emitPartial(): void {
    const { size } = this.#partial;
    this.#sink.line(this.#partial.take(), size);
  }

  /** Reads every line of `chunk` from `start` to `end`, which is just after a newline. */
  #completeLines(chunk: Uint8Array, start: number, end: number): void {
    if (this.#lastWasAscii) {
      const text = this.#decode(chunk, start, end);
      this.#lastWasAscii = text.length === end - start; // characters beyond ASCII have more bytes than UTF-16 units
      if (this.#lastWasAscii) {
        this.#asciiLines(text, chunk, start);
        return;
      }
    }
    this.#lastWasAscii = true;
    for (let from = start; from < end; ) {
      const newline = chunk.indexOf(NEWLINE, from);
      const size = newline - from;
      if (size > this.#maxBytes) {
        this.#tooLong(chunk, from, size);
      } else if (size > 0) {
        const text = this.#decode(chunk, from, newline);
        if (text.length !== size) this.#lastWasAscii = false;
        this.#sink.line(text, size);
      }
      from = newline + 1;
    }
  }

  #asciiLines(text: string, chunk: Uint8Array, start: number): void {
    for (let from = 0; from < text.length; ) {
      const newline = text.indexOf("\n", from);
      const size = newline - from;
      if (size > this.#maxBytes) this.#tooLong(chunk, start + from, size);
      else if (size > 0) this.#sink.line(text.substring(from, newline), size);
      from = newline + 1;
    }
  }

  /** Called when a line that began in an earlier chunk exceeds the limit. */
  #tooLongPartial(chunk: Uint8Array, start: number, size: number): void {
    const missing = Math.min(size, EXCERPT_BYTES) - this.#partial.size;
    if (missing > 0) this.#partial.append(chunk, start, Math.min(chunk.length, start + missing));
    this.#sink.tooLong(excerptOf(this.#partial.head(EXCERPT_BYTES)), size);
    this.#partial.clear();
  }

  #tooLong(bytes: Uint8Array, start: number, size: number): void {
    const end = Math.min(bytes.length, start + Math.min(size, EXCERPT_BYTES));
    this.#sink.tooLong(excerptOf(this.#decode(bytes, start, end)), size);
  }
}
