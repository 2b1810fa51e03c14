import { joinBytes } from "../join-bytes.js";
import { type Frame, lineFrame } from "./frame.js";

/** Splits bytes into lines at newlines. A line may be spread over several chunks. */
export class LineSplitter {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #rest: Uint8Array[] = [];

  /** Returns the lines that this chunk completes. */
  push(chunk: Uint8Array): Frame[] {
    const lines: Frame[] = [];
    let start = 0;
    for (let newline = chunk.indexOf(0x0a); newline >= 0; newline = chunk.indexOf(0x0a, start)) {
      this.#rest.push(chunk.subarray(start, newline));
      lines.push(this.#take("\n"));
      start = newline + 1;
    }
    if (start < chunk.length) this.#rest.push(chunk.slice(start));
    return lines;
  }

  /** Returns the text after the last newline as a line, if there is any. */
  end(): Frame[] {
    return this.#rest.length === 0 ? [] : [this.#take("")];
  }

  #take(end: Frame["end"]): Frame {
    const parts = this.#rest;
    this.#rest = [];
    const text = parts.map((part) => this.#decoder.decode(part, { stream: true })).join("") + this.#decoder.decode();
    const frame = lineFrame(text, end);
    // Invalid UTF-8 cannot be restored from the text.
    return text.includes("\ufffd") ? { ...frame, bytes: joinBytes([...parts, encoder.encode(end)]) } : frame;
  }
}

const encoder = new TextEncoder();
