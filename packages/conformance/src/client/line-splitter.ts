const newline = 0x0a;

/** Splits bytes at `\n`, independent of the chunks they arrived in. Unlike a transport, it returns raw lines. */
export class LineSplitter {
  #parts: Uint8Array[] = [];

  /** Returns the lines that these bytes complete, without their `\n`. */
  push(bytes: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      lines.push(this.#take(bytes.subarray(start, end)));
      start = end + 1;
    }
    if (start < bytes.length) this.#parts.push(bytes.slice(start));
    return lines;
  }

  /** The bytes after the last `\n`. */
  rest(): Uint8Array {
    return this.#take(new Uint8Array());
  }

  #take(last: Uint8Array): Uint8Array {
    const parts = [...this.#parts, last];
    this.#parts = [];
    const line = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let offset = 0;
    for (const part of parts) {
      line.set(part, offset);
      offset += part.length;
    }
    return line;
  }
}
