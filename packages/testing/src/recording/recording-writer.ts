import type { RecordingEntry, RecordingHeader } from "./format.js";
import { type RecorderOptions, recorderDefaults } from "./recorder-options.js";
import type { RecordingSink } from "./sink.js";

/** Puts lines into a sink, whole ones, as far as the recording may grow; counts what it leaves out. */
export class RecordingWriter {
  readonly #sink: RecordingSink;
  readonly #maxBytes: number;
  readonly #onError: (error: unknown) => void;
  #entries = 0;
  #bytes = 0;
  #missing = { entries: 0, bytes: 0 };
  #full = false;
  #ended = false;
  #closing: Promise<void> | undefined;
  /** Messages that were recorded without their contents. */
  leftOut = 0;

  constructor({ sink, maxRecordingBytes, onError = () => {} }: RecorderOptions) {
    this.#sink = sink;
    this.#maxBytes = maxRecordingBytes ?? recorderDefaults.maxRecordingBytes;
    this.#onError = onError;
  }

  get stats(): { readonly entries: number; readonly bytes: number; readonly leftOut: number } {
    return { entries: this.#entries, bytes: this.#bytes, leftOut: this.leftOut + this.#missing.entries };
  }

  header(header: RecordingHeader): void {
    this.guard(() => this.#put(`${JSON.stringify(header)}\n`));
  }

  /** Writes an entry, whose JSON text is given. What happens to the process is short and rare, and has room behind the bound. */
  write(entry: RecordingEntry, json: string): void {
    if (this.#ended) return;
    const size = utf8Length(json) + 1;
    if (!this.#full && this.#bytes + size > this.#maxBytes) {
      this.#full = true;
      const mark: RecordingEntry = { t: entry.t, kind: "left_out", reason: "recording_full", entries: 0, bytes: 0 };
      this.#put(`${JSON.stringify(mark)}\n`);
    }
    if (this.#full && entry.kind !== "process") {
      this.#missing.entries += 1;
      this.#missing.bytes += size;
      return;
    }
    this.#entries += 1;
    this.#put(`${json}\n`, size);
  }

  /** Runs `action`. When it throws, recording is over, and whoever is recorded doesn't feel it. */
  guard(action: () => void): void {
    if (this.#ended) return;
    try {
      action();
    } catch (error) {
      this.#fail(error);
    }
  }

  close(t: number): Promise<void> {
    this.#closing ??= this.#close(t);
    return this.#closing;
  }

  async #close(t: number): Promise<void> {
    if (this.#full) {
      const mark: RecordingEntry = { t, kind: "left_out", reason: "recording_full", ...this.#missing };
      this.guard(() => this.#put(`${JSON.stringify(mark)}\n`));
    }
    this.#ended = true;
    try {
      await this.#sink.close?.();
    } catch (error) {
      this.#fail(error);
    }
  }

  #put(line: string, size: number = utf8Length(line)): void {
    this.#sink.write(line);
    this.#bytes += size;
  }

  #fail(error: unknown): void {
    this.#ended = true;
    try {
      this.#onError(error);
    } catch {
      // A listener that throws changes nothing.
    }
  }
}

/** How many bytes a text has as UTF-8, without making them. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7ff) bytes += code >= 0xd800 && code < 0xe000 ? 1 : 2;
    else if (code > 0x7f) bytes += 1;
  }
  return bytes;
}
