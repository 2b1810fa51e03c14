/** What an {@link SseReader} reports. */
export interface SseListener {
  /** The data of one event, its lines joined. `size` in bytes, or close to it. */
  event(data: string, size: number): void;
  /** A comment, without the colon and the space behind it. */
  comment(text: string): void;
  /** An event whose data is longer than the limit. It was skipped; `excerpt` is its beginning. */
  tooLarge(excerpt: string, size: number): void;
}

/**
 * Reads server-sent events, however their bytes are cut into chunks. Line ends are `\n`, `\r\n` or `\r`. Event names, ids and retry times
 * have no meaning in this protocol and are skipped. Data above the limit is skipped without being kept.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export class SseReader {
  readonly #listener: SseListener;
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  /** The beginning of a line whose end has not arrived, in pieces. */
  #parts: string[] = [];
  #partsLength = 0;
  /** The line in progress is over the limit: only its beginning is kept. */
  #skippedLength = 0;
  /** The last chunk ended with `\r`: a `\n` that follows belongs to it. */
  #afterReturn = false;
  /** The data lines of the event in progress. */
  #data: string[] = [];
  #dataLength = 0;
  #dataSkipped = false;
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
    let returns = text.indexOf("\r", start);
    while (!this.#stopped) {
      const newline = text.indexOf("\n", start);
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

  /** From now on nothing is reported. An event without its empty line is incomplete and never reported. */
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
      this.#parts = [(this.#parts.join("") + part).slice(0, EXCERPT_LENGTH)];
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
    if (excerpt.startsWith("data:")) this.#skip(excerpt.slice(5), size);
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
    }
  }

  #append(data: string): void {
    if (this.#dataSkipped) {
      this.#dataLength += data.length;
      return;
    }
    this.#data.push(data);
    this.#dataLength += data.length + 1;
    if (this.#dataLength - 1 > this.#maxBytes) this.#skip("", 0);
  }

  #skip(excerpt: string, size: number): void {
    this.#dataSkipped = true;
    this.#data = [(this.#data.join("\n").slice(0, EXCERPT_LENGTH) + excerpt.trimStart()).slice(0, EXCERPT_LENGTH)];
    this.#dataLength += size;
  }

  #dispatch(): void {
    if (this.#data.length === 0) return;
    const data = this.#data.length === 1 ? (this.#data[0] as string) : this.#data.join("\n");
    const size = this.#dataLength;
    const skipped = this.#dataSkipped;
    this.#data = [];
    this.#dataLength = 0;
    this.#dataSkipped = false;
    if (skipped) this.#listener.tooLarge(data, size);
    else if (data !== "") this.#listener.event(data, size - 1);
  }
}

const NEWLINE = 0x0a;
const SPACE = 0x20;

/** A line holds more than its data: the name of the field. */
const FIELD_LENGTH = 6;
const EXCERPT_LENGTH = 200;
