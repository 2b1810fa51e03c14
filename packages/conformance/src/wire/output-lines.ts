/** One line of the peer's output: its text, and whether its bytes were UTF-8. */
export interface OutputLine {
  readonly text: string;
  readonly validUtf8: boolean;
}

const newline = 0x0a;

/** Splits output into lines, without parsing them. */
export class OutputLines {
  readonly #onLine: (line: OutputLine) => void;
  #rest: Uint8Array[] = [];

  constructor(onLine: (line: OutputLine) => void) {
    this.#onLine = onLine;
  }

  push(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      this.#rest.push(bytes.subarray(start, end));
      this.#emit();
      start = end + 1;
    }
    if (start < bytes.length) this.#rest.push(bytes.slice(start));
  }

  /** Ends the output: the rest after the last newline is a line too. */
  end(): void {
    if (this.#rest.length > 0) this.#emit();
  }

  #emit(): void {
    const bytes = joined(this.#rest);
    this.#rest = [];
    const text = new TextDecoder().decode(bytes);
    this.#onLine({ text, validUtf8: isUtf8(bytes, text) });
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0]) return parts[0];
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

function isUtf8(bytes: Uint8Array, text: string): boolean {
  if (!text.includes("\uFFFD")) return true;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
