import { ByteBuffer } from "./byte-buffer.js";
import type { DecodeText } from "./decode-text.js";
import { excerptOf, MAX_HEADER_BYTES } from "./limits.js";

/** The callbacks of a {@link HeaderReader}. */
export interface HeaderSink {
  /** Receives the body of a message. `size` is its size in bytes. */
  body(text: string, size: number): void;
  /** Called for a body that exceeds the limit and is skipped. */
  tooLong(header: string, size: number): void;
  /** Called for a header block without a length, or no header. Not again before a valid length has arrived. */
  invalid(problem: string, excerpt: string, size: number): void;
}

/** Returns whether a line is the first header line of input framed by `Content-Length`. */
export function startsHeaders(line: string): boolean {
  return /^content-(?:length|type)[ \t]*:/i.test(line);
}

const HEADER = /^([!#$%&'*+.^_`|~\w-]+)[ \t]*:(.*)$/s;
/**
 * Matches a length at the end of skipped input. A body whose header was invalid is skipped and has no newline, so the
 * next header follows it in the same line.
 */
const TRAILING_LENGTH = /content-length[ \t]*:[ \t]*(\d{1,15})$/i;
/** How many last bytes of skipped input without a newline are kept, to find a length at its end. */
const KEPT_GARBAGE_BYTES = 256;
const NEWLINE = 0x0a;

/**
 * Reads messages framed by headers, as in the Language Server Protocol: `Content-Length: 42\r\n\r\n{…}`.
 *
 * Headers can be in any order and case. The reader ignores headers other than `Content-Length`, and accepts `\n`
 * instead of `\r\n`. After invalid framing, it continues at the next line that ends with a length.
 *
 * @see https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#headerPart
 */
export class HeaderReader {
  readonly #sink: HeaderSink;
  readonly #decode: DecodeText;
  readonly #maxBytes: number;
  /** The part of the current header line or body that has arrived. */
  readonly #partial = new ByteBuffer();
  /** The number of bytes of the current body that have not arrived; 0 between bodies. */
  #missing = 0;
  #skipBody = false;
  /** The length of the next body; `undefined` before the block's `Content-Length`, and after an invalid header. */
  #length: number | undefined;
  #inBlock = false;
  #broken = false;

  constructor(sink: HeaderSink, decode: DecodeText, maxBytes: number) {
    this.#sink = sink;
    this.#decode = decode;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    for (let start = 0; start < chunk.length; ) {
      start = this.#missing > 0 ? this.#readBody(chunk, start) : this.#readHeader(chunk, start);
    }
  }

  /** Reads one line of a header block, without its newline. */
  line(raw: string): void {
    const line = raw.trim();
    if (line === "") {
      this.#endOfBlock();
      return;
    }
    const [, name = "", value = ""] = HEADER.exec(line) ?? [];
    if (name.toLowerCase() === "content-length") {
      this.#lengthHeader(line, value.trim());
      return;
    }
    const trailing = name === "" || this.#broken ? TRAILING_LENGTH.exec(line) : null;
    if (name === "") this.#invalid("input that is not a header line", line);
    if (trailing !== null) this.#understood(Number(trailing[1]));
    else this.#inBlock = true;
  }

  /** Called when the input has ended. */
  end(): void {
    const size = this.#partial.length;
    if (this.#missing > 0 && !this.#skipBody) {
      const problem = `the input ended ${this.#missing} bytes before the end of a message`;
      this.#invalid(problem, this.#decode(this.#partial.bytes, 0, Math.min(size, MAX_HEADER_BYTES)), size);
    } else if (this.#missing === 0) {
      if (size > 0) this.line(this.#decode(this.#partial.bytes, 0, size));
      if (this.#inBlock) this.#invalid("the input ended inside a header", "");
    }
    this.#partial.clear();
    this.#missing = 0;
  }

  #readHeader(chunk: Uint8Array, start: number): number {
    const newline = chunk.indexOf(NEWLINE, start);
    const end = newline === -1 ? chunk.length : newline;
    if (this.#partial.length + end - start > MAX_HEADER_BYTES) this.#skipGarbage(chunk, start, end);
    else this.#partial.append(chunk, start, end);
    if (newline === -1) return end;
    const line = this.#decode(this.#partial.bytes, 0, this.#partial.length);
    this.#partial.clear();
    this.line(line);
    return newline + 1;
  }

  #skipGarbage(chunk: Uint8Array, start: number, end: number): void {
    const size = this.#partial.length + end - start;
    if (this.#partial.length === 0) this.#partial.append(chunk, start, start + KEPT_GARBAGE_BYTES);
    this.#invalid(
      "a header line that exceeds the limit",
      this.#decode(this.#partial.bytes, 0, KEPT_GARBAGE_BYTES),
      size,
    );
    const tail = this.#partial.bytes.slice(-KEPT_GARBAGE_BYTES);
    this.#partial.clear();
    this.#partial.append(tail, 0, tail.length);
    this.#partial.append(chunk, Math.max(start, end - KEPT_GARBAGE_BYTES), end);
  }

  #readBody(chunk: Uint8Array, start: number): number {
    const end = Math.min(chunk.length, start + this.#missing);
    this.#missing -= end - start;
    if (this.#skipBody) return end;
    if (this.#missing === 0 && this.#partial.length === 0) {
      this.#sink.body(this.#decode(chunk, start, end), end - start);
      return end;
    }
    this.#partial.append(chunk, start, end);
    if (this.#missing === 0) {
      const size = this.#partial.length;
      const text = this.#decode(this.#partial.bytes, 0, size);
      this.#partial.clear();
      this.#sink.body(text, size);
    }
    return end;
  }

  #lengthHeader(line: string, value: string): void {
    if (!/^\d{1,15}$/.test(value)) {
      this.#invalid("a Content-Length that is not a number", line);
    } else if (this.#length !== undefined && this.#length !== Number(value)) {
      this.#invalid("two different values of Content-Length", line);
    } else {
      this.#understood(Number(value));
    }
  }

  #understood(length: number): void {
    this.#length = length;
    this.#inBlock = true;
    this.#broken = false;
  }

  #endOfBlock(): void {
    const length = this.#length;
    if (this.#inBlock && length === undefined) this.#invalid("a header without Content-Length", "");
    this.#inBlock = false;
    this.#length = undefined;
    if (length === undefined) return;
    this.#missing = length;
    this.#skipBody = length > this.#maxBytes;
    if (this.#skipBody) this.#sink.tooLong(`Content-Length: ${length}`, length);
  }

  #invalid(problem: string, text: string, size: number = text.length): void {
    this.#length = undefined;
    if (this.#broken) return;
    this.#broken = true;
    this.#sink.invalid(problem, excerptOf(text), size);
  }
}
