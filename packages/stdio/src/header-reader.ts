import { ByteBuffer } from "./byte-buffer.js";
import type { DecodeText } from "./decode-text.js";
import { excerptOf, MAX_HEADER_BYTES } from "./limits.js";

/** What a {@link HeaderReader} finds. */
export interface HeaderSink {
  /** The body of a message. `size` in bytes. */
  body(text: string, size: number): void;
  /** A body over the limit; it is skipped. */
  tooLong(header: string, size: number): void;
  /** A header block that says no length, or input that is no header. Told once, until a length is understood again. */
  invalid(problem: string, excerpt: string, size: number): void;
}

/** Whether a line begins `Content-Length` framed input. */
export function startsHeaders(line: string): boolean {
  return /^content-(?:length|type)[ \t]*:/i.test(line);
}

const HEADER = /^([!#$%&'*+.^_`|~\w-]+)[ \t]*:(.*)$/s;
/** A length behind something that was skipped: a body whose own header was broken has no newline at its end. */
const TRAILING_LENGTH = /content-length[ \t]*:[ \t]*(\d{1,15})$/i;
/** What is kept of garbage without a newline, so that a length at its end is still found. */
const KEPT_GARBAGE_BYTES = 256;
const NEWLINE = 0x0a;

/**
 * Reads messages framed by headers, as the Language Server Protocol frames them: `Content-Length: 42\r\n\r\n{…}`.
 *
 * Headers come in any order and case; those that are not `Content-Length` are ignored; a bare `\n` ends a line, too. After broken
 * framing reading goes on at the next line that ends with a length.
 *
 * @see https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#headerPart
 */
export class HeaderReader {
  readonly #sink: HeaderSink;
  readonly #decode: DecodeText;
  readonly #maxBytes: number;
  /** The part that has arrived of a header line or of a body. */
  readonly #partial = new ByteBuffer();
  /** Bytes of the current body that are still to come; 0 between bodies. */
  #missing = 0;
  #skipBody = false;
  /** What the current header block says. */
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

  /** One line of a header block, without its newline. */
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
    if (name === "") this.#invalid("input that is not a header", line);
    if (trailing !== null) this.#understood(Number(trailing[1]));
    else this.#inBlock = true;
  }

  /** The input has ended. */
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
    this.#invalid("a header line that is too long", this.#decode(this.#partial.bytes, 0, KEPT_GARBAGE_BYTES), size);
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
