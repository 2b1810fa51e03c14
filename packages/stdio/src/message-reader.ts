import { checkMessageText, type MessageLimits, messageLimitDefaults, type TransportReceiver } from "@acp-kit/jsonrpc";
import { limitsAmong } from "@acp-kit/jsonrpc/internal";
import { createTextDecoder, type DecodeText } from "./decode-text.js";
import { byteTransportDefaults, excerptOf } from "./limits.js";
import { LineReader } from "./line-reader.js";

/** Options and callbacks of a {@link MessageReader}. */
export interface MessageReaderOptions {
  /**
   * The maximum size of a message in bytes; a longer message is skipped and reported as `too_large`. The default is 64
   * MiB.
   */
  readonly maxMessageBytes?: number | undefined;
  /**
   * The maximum nesting depth of a message; a deeper message is skipped and reported as `too_large`. The default is 512
   * levels.
   */
  readonly maxMessageDepth?: number | undefined;
  /**
   * The maximum number of brackets and commas in a message; a message with more is skipped and reported as `too_large`.
   * The default is 1,000,000.
   */
  readonly maxMessageNodes?: number | undefined;
  /** Decodes UTF-8. Set it on platforms with a faster decoder than `TextDecoder`, which is the default. */
  readonly decode?: DecodeText | undefined;
}

/**
 * Reads messages from chunks of bytes: one JSON value per line. The reader reports and skips input that is not JSON, and
 * ignores blank lines.
 */
export class MessageReader {
  readonly #receiver: Pick<TransportReceiver, "message" | "malformed">;
  readonly #maxBytes: number;
  readonly #limits: Required<MessageLimits>;
  readonly #lines: LineReader;
  #isFirstLine = true;
  #stopped = false;

  /** @throws {TypeError} for a limit that is `NaN` or negative. */
  constructor(receiver: Pick<TransportReceiver, "message" | "malformed">, options: MessageReaderOptions = {}) {
    this.#receiver = receiver;
    const { maxMessageBytes } = byteTransportDefaults;
    const limits = limitsAmong("options", { maxMessageBytes, ...messageLimitDefaults }, options);
    this.#maxBytes = limits.maxMessageBytes;
    this.#limits = limits;
    this.#lines = new LineReader(
      {
        line: (text, size) => this.#line(text, size),
        tooLong: (excerpt, size) => this.#tooLarge(excerpt, size),
      },
      options.decode ?? createTextDecoder(),
      this.#maxBytes,
    );
  }

  /** Reads a chunk of bytes. The reader keeps no reference to the chunk: it copies bytes that it needs later. */
  push(chunk: Uint8Array): void {
    if (!this.#stopped) this.#lines.push(chunk);
  }

  /** Drops all further input, including the rest of the current chunk. */
  stop(): void {
    this.#stopped = true;
  }

  /** Called when the input has ended: reads the text after the last newline as a message. */
  end(): void {
    this.#lines.end();
  }

  #line(text: string, size: number): void {
    const isMarked = this.#isFirstLine && text.startsWith("\ufeff");
    this.#isFirstLine = false;
    this.#parse(isMarked ? text.slice(1) : text, size);
  }

  #parse(text: string, size: number): void {
    if (this.#stopped) return;
    const problem = checkMessageText(text, this.#limits);
    if (problem !== undefined) {
      this.#receiver.malformed({ kind: "too_large", message: problem, excerpt: excerptOf(text), size });
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (text.trim() !== "") {
        const message = `${size} bytes of input are not JSON and were skipped.`;
        this.#receiver.malformed({ kind: "not_json", message, excerpt: excerptOf(text), size });
      }
      return;
    }
    this.#receiver.message(value, size);
  }

  #tooLarge(excerpt: string, size: number): void {
    const message = `A message is larger than the limit of ${this.#maxBytes} bytes and was skipped.`;
    this.#receiver.malformed({ kind: "too_large", message, excerpt, size });
  }
}
