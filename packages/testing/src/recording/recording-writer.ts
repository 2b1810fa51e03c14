import { utf8Length } from "../utf8-length.js";
import type { RecordingEntry, RecordingHeader } from "./format.js";
import { type RecorderOptions, recorderDefaults } from "./recorder-options.js";
import type { RecordingSink } from "./sink.js";

/** Writes whole lines into a sink, up to the size limit of the recording, and counts the entries that were left out. */
export class RecordingWriter {
  readonly #sink: RecordingSink;
  readonly #maxBytes: number;
  readonly #onError: (error: unknown) => void;
  #entries = 0;
  #bytes = 0;
  #missing = { entries: 0, bytes: 0 };
  #full = false;
  #ended = false;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;
  /** The number of messages that were recorded without their contents. */
  leftOut = 0;

  constructor({ sink, maxRecordingBytes, onError = () => {} }: RecorderOptions) {
    this.#sink = sink;
    this.#maxBytes = maxRecordingBytes ?? recorderDefaults.maxRecordingBytes;
    this.#onError = onError;
  }

  get stats(): { readonly entries: number; readonly bytes: number; readonly leftOut: number } {
    return { entries: this.#entries, bytes: this.#bytes, leftOut: this.leftOut + this.#missing.entries };
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  header(header: RecordingHeader): void {
    this.#put(`${JSON.stringify(header)}\n`);
  }

  /** Writes an entry, passed as JSON text. Process events are short and rare, and may exceed the limit. */
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

  /**
   * Runs `action`, which creates and writes one entry. If creating fails, an entry with the reason is written instead;
   * if writing fails, recording stops. Neither affects the recorded connection.
   */
  guard(now: () => number, action: () => void): void {
    if (this.#ended) return;
    try {
      action();
    } catch (error) {
      if (this.#ended) return;
      this.leftOut += 1;
      const message = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : "unknown";
      const entry: RecordingEntry = {
        t: now(),
        kind: "left_out",
        reason: "not_recordable",
        entries: 1,
        bytes: 0,
        message,
      };
      this.write(entry, JSON.stringify(entry));
    }
  }

  close(t: number): Promise<void> {
    this.#closing ??= this.#close(t);
    return this.#closing;
  }

  async #close(t: number): Promise<void> {
    if (this.#full) {
      const mark: RecordingEntry = { t, kind: "left_out", reason: "recording_full", ...this.#missing };
      this.#put(`${JSON.stringify(mark)}\n`);
    }
    this.#ended = true;
    try {
      await this.#sink.close?.();
    } catch (error) {
      this.#fail(error);
    }
  }

  #put(line: string, size: number = utf8Length(line)): void {
    if (this.#ended) return;
    try {
      this.#sink.write(line);
      this.#bytes += size;
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#ended = true;
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
    try {
      this.#onError(error);
    } catch {
      // An error of a listener does not affect the recording.
    }
  }
}
