/** The callbacks of a {@link LineSplitter}. */
export interface LineSink {
  /** Called with a complete line, without its line end. `bytes` includes the line end. */
  line(text: string, bytes: number): void;
  /** Called with the prefix of a line that exceeds the limit, and the size of the whole line in bytes. */
  tooLong(beginning: string, bytes: number): void;
}

/** Splits bytes into lines at `\n`. Of a line above the limit, only the prefix is buffered. */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #held = 0;
  #size = 0;

  constructor(sink: LineSink, maxBytes: number) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
  }

  /** Reads a chunk. The splitter copies the bytes that it needs later, so the caller may reuse the chunk. */
  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#hold(chunk.subarray(start, end), false);
      this.#emit(1);
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start), true);
  }

  /** Ends the input. Text after the last line end counts as a line. */
  end(): void {
    if (this.#size > 0) this.#emit(0);
  }

  #hold(bytes: Uint8Array, copy: boolean): void {
    this.#size += bytes.length;
    const room = this.#maxBytes - this.#held;
    if (bytes.length === 0 || room <= 0) return;
    const part = bytes.subarray(0, room);
    this.#parts.push(copy ? part.slice() : part);
    this.#held += part.length;
  }

  #emit(lineEnd: number): void {
    const text = decode(this.#parts, this.#held);
    const size = this.#size;
    this.#parts = [];
    this.#held = 0;
    this.#size = 0;
    if (size > this.#maxBytes) this.#sink.tooLong(text, size + lineEnd);
    else this.#sink.line(text, size + lineEnd);
  }
}

const LINE_FEED = 0x0a;

function decode(parts: readonly Uint8Array[], length: number): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const [only] = parts;
  if (parts.length <= 1) return only === undefined ? "" : decoder.decode(only);
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return decoder.decode(whole);
}
