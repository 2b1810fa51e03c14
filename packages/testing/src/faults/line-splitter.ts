/** Splits bytes into lines at newlines. A line may be spread over several chunks. */
export class LineSplitter {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #rest: Uint8Array[] = [];

  /** Returns the lines that this chunk completes, without their ends. */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let newline = chunk.indexOf(0x0a); newline >= 0; newline = chunk.indexOf(0x0a, start)) {
      this.#rest.push(chunk.subarray(start, newline));
      lines.push(this.#take());
      start = newline + 1;
    }
    if (start < chunk.length) this.#rest.push(chunk.slice(start));
    return lines;
  }

  /** Returns the text after the last newline, or an empty string. */
  end(): string {
    return this.#take();
  }

  #take(): string {
    const text =
      this.#rest.map((part) => this.#decoder.decode(part, { stream: true })).join("") + this.#decoder.decode();
    this.#rest = [];
    return text;
  }
}
