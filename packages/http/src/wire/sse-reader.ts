import { prefixOf } from "@acp-kit/jsonrpc/internal";
import { MAX_ID_CHARACTERS } from "./header-names.js";

/** The listener of an {@link SseReader}. */
export interface SseListener {
  /** Receives an event's data, with its lines joined, its approximate `size` in bytes, and the last `id`. */
  event(data: string, size: number, id: string | undefined): void;
  /** Receives a comment, without the colon and the space after it. */
  comment(text: string): void;
  /**
   * Reports an event that was skipped because its data exceeds a limit. `problem` continues a sentence that begins with
   * "A message", such as "is larger than the limit of 1000 bytes"; `excerpt` is the prefix of the data.
   */
  tooLarge(problem: string, excerpt: string, size: number, id: string | undefined): void;
}

/** The maximum number of lines of one event. A message needs one line; short lines take more memory than characters. */
const MAX_LINES = 65_536;

/**
 * Reads server-sent events from chunks of any size. Line ends are `\n`, `\r\n` or `\r`. Event names and retry times
 * have no meaning in this protocol and are skipped. Data above the limit is skipped and not kept in memory.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export class SseReader {
  readonly #listener: SseListener;
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  /** The parts of a line whose end has not arrived. */
  #parts: string[] = [];
  #partsLength = 0;
  /** The number of skipped characters of a line above the limit, of which only the beginning is kept. */
  #skippedLength = 0;
  /** Whether the last chunk ended with `\r`. A following `\n` then belongs to the same line end. */
  #afterReturn = false;
  #data: string[] = [];
  #dataLength = 0;
  /** Which limit the event in progress exceeds; the reader then keeps only the beginning of its data. */
  #problem: string | undefined;
  #id: string | undefined;
  #stopped = false;

  constructor(listener: SseListener, maxBytes: number) {
    this.#listener = listener;
    this.#maxBytes = maxBytes;
  }

  /** Reads a chunk. */
  push(chunk: Uint8Array): void {
    this.pushText(this.#decoder.decode(chunk, { stream: true }));
  }

  /** Reads a chunk of text. */
  pushText(text: string): void {
    let start = 0;
    if (this.#afterReturn && text.length > 0) {
      this.#afterReturn = false;
      if (text.charCodeAt(0) === NEWLINE) start = 1;
    }
    // Both positions are kept from line to line: searching them again for each line would take quadratic time if the
    // text contains only one kind of line end.
    let newline = text.indexOf("\n", start);
    let returns = text.indexOf("\r", start);
    while (!this.#stopped) {
      if (newline !== -1 && newline < start) newline = text.indexOf("\n", start);
      if (returns !== -1 && returns < start) returns = text.indexOf("\r", start);
      if (newline === -1 && returns === -1) break;
      if (returns === -1 || (newline !== -1 && newline < returns)) {
        this.#line(text.slice(start, newline));
        start = newline + 1;
        continue;
      }
      this.#line(text.slice(start, returns));
      start = returns + 1;
      if (start === text.length) this.#afterReturn = true;
      else if (text.charCodeAt(start) === NEWLINE) start += 1;
    }
    if (start < text.length) this.#keep(text.slice(start));
  }

  /** Stops all reports. An event without its empty line is incomplete and never reported. */
  stop(): void {
    this.#stopped = true;
  }

  #keep(part: string): void {
    if (this.#skippedLength === 0 && this.#partsLength + part.length <= this.#maxBytes + FIELD_LENGTH) {
      this.#parts.push(part);
      this.#partsLength += part.length;
      return;
    }
    if (this.#skippedLength === 0) {
      this.#skippedLength = this.#partsLength;
      this.#parts = [prefixOf(this.#parts.join("") + part, EXCERPT_LENGTH)];
    }
    this.#skippedLength += part.length;
  }

  #line(end: string): void {
    if (this.#partsLength === 0 && this.#skippedLength === 0) {
      this.#field(end);
      return;
    }
    if (this.#skippedLength === 0) {
      this.#parts.push(end);
      const line = this.#parts.join("");
      this.#clearLine();
      this.#field(line);
      return;
    }
    const [excerpt = ""] = this.#parts;
    const size = this.#skippedLength + end.length;
    this.#clearLine();
    if (excerpt.startsWith("data:")) this.#skip(this.#tooLong(), excerpt.slice(5), size);
  }

  #clearLine(): void {
    this.#parts = [];
    this.#partsLength = 0;
    this.#skippedLength = 0;
  }

  #field(line: string): void {
    if (line === "") {
      this.#dispatch();
    } else if (line.startsWith("data:")) {
      this.#append(line.charCodeAt(5) === SPACE ? line.slice(6) : line.slice(5));
    } else if (line.startsWith(":")) {
      this.#listener.comment(line.charCodeAt(1) === SPACE ? line.slice(2) : line.slice(1));
    } else if (line === "data") {
      this.#append("");
    } else if (line.startsWith("id:")) {
      const id = line.slice(line.charCodeAt(3) === SPACE ? 4 : 3);
      if (id.length <= MAX_ID_CHARACTERS && USABLE_ID.test(id)) this.#id = id;
    }
  }

  #append(data: string): void {
    if (this.#problem !== undefined) {
      this.#dataLength += data.length;
      return;
    }
    this.#data.push(data);
    this.#dataLength += data.length + 1;
    if (this.#dataLength - 1 > this.#maxBytes) this.#skip(this.#tooLong(), "", 0);
    else if (this.#data.length > MAX_LINES) this.#skip(`has more lines than the limit of ${MAX_LINES}`, "", 0);
  }

  #tooLong(): string {
    return `is larger than the limit of ${this.#maxBytes} bytes`;
  }

  #skip(problem: string, excerpt: string, size: number): void {
    this.#problem ??= problem;
    this.#data = [prefixOf(this.#data.join("\n").slice(0, EXCERPT_LENGTH) + excerpt.trimStart(), EXCERPT_LENGTH)];
    this.#dataLength += size;
  }

  #dispatch(): void {
    if (this.#data.length === 0) return;
    const data = this.#data.length === 1 ? (this.#data[0] as string) : this.#data.join("\n");
    const size = this.#dataLength;
    const problem = this.#problem;
    this.#data = [];
    this.#dataLength = 0;
    this.#problem = undefined;
    if (problem !== undefined) this.#listener.tooLarge(problem, data, size, this.#id);
    else if (data !== "") this.#listener.event(data, size - 1, this.#id);
  }
}

const NEWLINE = 0x0a;
const SPACE = 0x20;

/** An id that the header `Last-Event-ID` can carry unchanged. The reader ignores any other id. */
const USABLE_ID = /^[\x21-\x7e]+$/;

/** The length of the field name `data: ` in a line. */
const FIELD_LENGTH = 6;
const EXCERPT_LENGTH = 200;
