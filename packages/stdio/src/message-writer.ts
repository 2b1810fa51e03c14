import type { Message } from "@acp-kit/jsonrpc";
import type { Framing } from "./message-reader.js";

/** The content of one write: its parts in order, and their size in bytes. */
export interface Batch {
  readonly parts: readonly string[];
  /** The size of the batch in UTF-8. */
  readonly bytes: number;
  /** Whether every character of the batch is ASCII, so that the fastest encoding works. */
  readonly ascii: boolean;
}

/** The callbacks and options of a {@link MessageWriter}. */
export interface MessageWriterOptions {
  /**
   * Writes a batch to the peer and returns the number of bytes that are still buffered. If the number is 0, the writer
   * continues. Otherwise it waits until `drained()` is called.
   */
  readonly write: (batch: Batch) => number;
  /** Schedules a call of `flush`, for example in a microtask. Messages sent before it are part of one write. */
  readonly schedule: (flush: () => void) => void;
  /** Returns the size of a text in UTF-8. Set it on platforms that can compute the size without encoding the text. */
  readonly byteLength?: ((text: string) => number) | undefined;
  /** With this number of queued bytes, they are written at once, and `full` is a promise. The default is 64 KiB. */
  readonly maxUnsentBytes?: number | undefined;
}

/** The default of `maxUnsentBytes`: 64 KiB. */
const MAX_UNSENT_BYTES = 65_536;

/** A longer message becomes a separate part of the batch, because joining it to the other messages would copy it. */
const LONG_CHARACTERS = 32_768;

/**
 * Serializes messages and joins the messages of one tick into one write. The writer accepts messages even while the
 * peer doesn't read, so the caller has to wait while `full` is set.
 */
export class MessageWriter {
  /** The framing that the writer uses from now on. */
  framing: Framing = "newline";

  readonly #options: MessageWriterOptions;
  readonly #maxUnsentBytes: number;
  readonly #byteLength: (text: string) => number;
  readonly #flush = (): void => {
    this.#scheduled = false;
    this.flush();
  };
  /** The parts of the next batch, without the last one: `#tail`, to which short messages are appended. */
  #parts: string[] = [];
  #tail = "";
  #characters = 0;
  #pendingBytes = 0;
  /** The written bytes that the peer has not read. Until 0, nothing is written below `maxUnsentBytes`. */
  #waitingBytes = 0;
  #scheduled = false;
  #ended = false;
  #room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(options: MessageWriterOptions) {
    this.#options = options;
    this.#byteLength = options.byteLength ?? utf8Length();
    this.#maxUnsentBytes = options.maxUnsentBytes ?? MAX_UNSENT_BYTES;
  }

  /** Whether every queued message was passed to `write`. */
  get isEmpty(): boolean {
    return this.#parts.length === 0 && this.#tail === "";
  }

  /** A promise while the sender should wait; see `Transport.full`. */
  get full(): Promise<void> | undefined {
    if (!this.#isFull()) return undefined;
    if (this.#room === undefined) {
      let resolve = (): void => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      this.#room = { promise, resolve };
    }
    return this.#room.promise;
  }

  /**
   * Queues a message and returns its size in bytes, without its framing. After `end()`, it does nothing.
   *
   * @param known the JSON text of the message on one line, if the caller has it already.
   * @throws {TypeError} when the message can't be serialized.
   */
  send(message: Message, known?: string): number {
    if (this.#ended) return 0;
    let text = known ?? serialize(message);
    let size = this.#byteLength(text);
    if (size > text.length && hasSeparators(text)) {
      text = escapeSeparators(text);
      size = this.#byteLength(text);
    }
    if (this.framing === "newline") this.#append(text, size, "\n");
    else this.#appendFramed(text, size);
    if (this.#pendingBytes >= this.#maxUnsentBytes) {
      this.#write(); // even while the peer doesn't read, because written bytes take less memory than queued texts
    } else if (!this.#scheduled && this.#waitingBytes === 0) {
      this.#scheduled = true;
      this.#options.schedule(this.#flush);
    }
    return size;
  }

  /** Writes the queued messages if the peer has read all previous writes. */
  flush(): void {
    if (this.#waitingBytes === 0 && this.#pendingBytes > 0) this.#write();
  }

  /** Writes all queued messages, even while the peer doesn't read, before closing. */
  flushAll(): void {
    if (this.#pendingBytes > 0) this.#write();
  }

  /** Called when the peer has read all previous writes. */
  drained(): void {
    this.#waitingBytes = 0;
    this.flush();
    if (!this.#isFull()) this.#release();
  }

  /** Writing is no longer possible: drops the queued messages and resolves the promises of waiting senders. */
  end(): void {
    this.#ended = true;
    this.#take();
    this.#waitingBytes = 0;
    this.#release();
  }

  #isFull(): boolean {
    return this.#waitingBytes > 0 && this.#waitingBytes + this.#pendingBytes >= this.#maxUnsentBytes;
  }

  #release(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #append(text: string, bytes: number, end: string): void {
    if (text.length > LONG_CHARACTERS) {
      if (this.#tail !== "") this.#parts.push(this.#tail);
      this.#parts.push(text);
      this.#tail = end;
    } else {
      this.#tail += text + end;
    }
    this.#characters += text.length + end.length;
    this.#pendingBytes += bytes + end.length;
  }

  #appendFramed(text: string, bytes: number): void {
    const header = `Content-Length: ${bytes}\r\n\r\n`;
    this.#append(header, header.length, "");
    this.#append(text, bytes, "");
  }

  #write(): void {
    this.#waitingBytes = this.#options.write(this.#take());
  }

  #take(): Batch {
    const parts = this.#parts;
    if (this.#tail !== "") parts.push(this.#tail);
    const bytes = this.#pendingBytes;
    const ascii = bytes === this.#characters;
    this.#parts = [];
    this.#tail = "";
    this.#characters = 0;
    this.#pendingBytes = 0;
    return { parts, bytes, ascii };
  }
}

function utf8Length(): (text: string) => number {
  const encoder = new TextEncoder();
  return (text) => encoder.encode(text).length;
}

/** Returns whether a text contains U+2028 or U+2029. Called only for texts that are not ASCII. */
function hasSeparators(text: string): boolean {
  return text.includes("\u2028") || text.includes("\u2029");
}

/** Escapes U+2028 and U+2029, which JSON allows in strings, but `readline` of Node 24 takes for line ends. */
function escapeSeparators(text: string): string {
  return text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function serialize(message: Message): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(message);
  } catch (cause) {
    throw new TypeError(`The message can't be serialized: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  if (text === undefined) throw new TypeError("The message can't be serialized: JSON can't represent it.");
  return text;
}
