import { checkMessageText, type MessageLimits, type TransportReceiver } from "@acp-kit/jsonrpc";
import { limitsAmong, messageLimitDefaults } from "@acp-kit/jsonrpc/internal";
import { createTextDecoder, type DecodeText } from "./decode-text.js";
import { HeaderReader, startsHeaders } from "./header-reader.js";
import { byteTransportDefaults, excerptOf } from "./limits.js";
import { LineReader } from "./line-reader.js";

/** The way in which messages are separated in a byte stream. */
export type Framing = "newline" | "content-length";

/** Options and callbacks of a {@link MessageReader}. */
export interface MessageReaderOptions {
  /** The maximum size of a message in bytes; a longer one is reported as `too_large`. The default is 64 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** The maximum depth of a message; a deeper one is reported as `too_large`. The default is 512 levels. */
  readonly maxMessageDepth?: number | undefined;
  /** The maximum number of brackets and commas; a message with more is `too_large`. The default is 1,000,000. */
  readonly maxMessageNodes?: number | undefined;
  /** Decodes UTF-8. Set it on platforms with a faster decoder than `TextDecoder`, which is the default. */
  readonly decode?: DecodeText | undefined;
  /** Called when the reader detects that the input is framed by `Content-Length` headers. */
  readonly onContentLength?: () => void;
}

/**
 * Reads messages from chunks of bytes: one JSON value per line or, if the input begins with a header, one after each
 * `Content-Length` header. The reader reports and skips input that is not JSON, and ignores blank lines.
 */
export class MessageReader {
  readonly #receiver: Pick<TransportReceiver, "text" | "message" | "malformed">;
  readonly #options: MessageReaderOptions;
  readonly #decode: DecodeText;
  readonly #maxBytes: number;
  readonly #limits: Required<MessageLimits>;
  readonly #lines: LineReader;
  #headers: HeaderReader | undefined;
  /** The framing of the input; `undefined` until the first message, as a program may print other text before it. */
  #framing: Framing | undefined;
  #stopped = false;

  /** @throws {TypeError} for a limit that is `NaN` or negative. */
  constructor(receiver: Pick<TransportReceiver, "text" | "message" | "malformed">, options: MessageReaderOptions = {}) {
    this.#receiver = receiver;
    this.#options = options;
    this.#decode = options.decode ?? createTextDecoder();
    const { maxMessageBytes } = byteTransportDefaults;
    const limits = limitsAmong("options", { maxMessageBytes, ...messageLimitDefaults }, options);
    this.#maxBytes = limits.maxMessageBytes;
    this.#limits = limits;
    this.#lines = new LineReader(
      {
        line: (text, size) => this.#line(text, size),
        tooLong: (excerpt, size) => this.#tooLarge(excerpt, size),
      },
      this.#decode,
      this.#maxBytes,
    );
  }

  /** Reads a chunk of bytes. The reader keeps no reference to the chunk: it copies bytes that it needs later. */
  push(chunk: Uint8Array): void {
    if (this.#stopped) return;
    if (this.#framing === "newline") this.#lines.push(chunk);
    else if (this.#headers !== undefined) this.#headers.push(chunk);
    else this.#detect(chunk);
  }

  /** Drops all further input, including the rest of the current chunk. */
  stop(): void {
    this.#stopped = true;
  }

  /** Called when the input has ended: reads the text after the last newline as a message. */
  end(): void {
    if (this.#headers === undefined) this.#lines.end();
    this.#headers?.end(); // also after `lines.end()`, because the last line can be the first header
  }

  /** Reads lines one at a time until the first message, because each can be the header that switches the framing. */
  #detect(chunk: Uint8Array): void {
    let start = 0;
    while (start < chunk.length && this.#framing === undefined) {
      const newline = chunk.indexOf(0x0a, start);
      const end = newline === -1 ? chunk.length : newline + 1;
      this.#lines.push(chunk.subarray(start, end));
      start = end;
    }
    if (start < chunk.length) this.push(chunk.subarray(start));
  }

  #line(text: string, size: number): void {
    if (this.#framing === "newline") this.#parse(text, size);
    else this.#firstLine(text.startsWith("\ufeff") ? text.slice(1) : text, size);
  }

  #firstLine(text: string, size: number): void {
    if (startsHeaders(text)) this.#readHeaders(text);
    else if (this.#parse(text, size)) this.#framing = "newline";
  }

  #readHeaders(firstHeader: string): void {
    this.#framing = "content-length";
    this.#headers = new HeaderReader(
      {
        body: (text, size) => this.#parse(text, size),
        tooLong: (header, size) => this.#tooLarge(header, size),
        invalid: (problem, excerpt, size) =>
          this.#receiver.malformed({
            kind: "invalid_header",
            message: `The framing of the input is broken: ${problem}.`,
            excerpt,
            size,
          }),
      },
      this.#decode,
      this.#maxBytes,
    );
    this.#options.onContentLength?.();
    this.#headers.line(firstHeader);
  }

  #parse(text: string, size: number): boolean {
    if (this.#stopped) return true;
    const problem = checkMessageText(text, this.#limits);
    if (problem !== undefined) {
      this.#receiver.malformed({ kind: "too_large", message: problem, excerpt: excerptOf(text), size });
      return false;
    }
    if (this.#receiver.text?.(text, size)) return true;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (text.trim() !== "") {
        const message = `${size} bytes of input are not JSON and were skipped.`;
        this.#receiver.malformed({ kind: "not_json", message, excerpt: excerptOf(text), size });
      }
      return false;
    }
    this.#receiver.message(value, size);
    return true;
  }

  #tooLarge(excerpt: string, size: number): void {
    const message = `A message is larger than the limit of ${this.#maxBytes} bytes and was skipped.`;
    this.#receiver.malformed({ kind: "too_large", message, excerpt, size });
  }
}
