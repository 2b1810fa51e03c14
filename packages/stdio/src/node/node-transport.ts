import type { Readable, Writable } from "node:stream";
import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { after, checkOptions, closedBeforeStart, deferred, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { DecodeText } from "../decode-text.js";
import { type ByteTransportOptions, byteTransportDefaults, type FixedTransportLimits } from "../limits.js";
import { MessageReader } from "../message-reader.js";
import { type Batch, MessageWriter } from "../message-writer.js";

/** Options of a transport over Node streams. */
export type NodeTransportOptions = ByteTransportOptions;

/** How long the transport still reads from the peer after writing to it has failed, in milliseconds. */
const INPUT_GRACE_MS = 1_000;

/**
 * Creates a transport for newline-delimited JSON over two Node streams: pipes of a process, a socket (passed twice), or
 * any other byte streams.
 *
 * The transport owns the streams and destroys them when it ends. It reports the end of the readable stream as `ended`;
 * writing is still possible then. It reports a stream that is closed before its end, `EPIPE` and similar errors as
 * `failed`.
 */
export function nodeTransport(readable: Readable, writable: Writable, options: NodeTransportOptions = {}): Transport {
  checkOptions("nodeTransport", options, optionKinds);
  return new NodeTransport(readable, writable, options);
}

const optionKinds: OptionKinds<NodeTransportOptions> = {
  maxMessageBytes: "value",
  closeTimeoutMs: "value",
};

/**
 * @internal The transport of {@link nodeTransport}. Closing has two separate steps, because a process can still write
 * after its input has ended.
 */
export class NodeTransport implements Transport {
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #options: NodeTransportOptions & FixedTransportLimits;
  readonly #writer: MessageWriter;
  #reader: MessageReader | undefined;
  #receiver: TransportReceiver | undefined;
  #inputEnded = false;
  /** Why writing is over. `hasLost`: a message was not written. */
  #writeError: { readonly error: unknown; readonly hasLost: boolean } | undefined;
  #stopLastWords: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;
  #closing: Promise<void> | undefined;
  readonly #released = deferred();

  constructor(readable: Readable, writable: Writable, options: NodeTransportOptions & FixedTransportLimits) {
    this.#readable = readable;
    this.#writable = writable;
    this.#options = options;
    this.#writer = new MessageWriter({
      write: (batch) => this.#write(batch),
      // Runs after the microtasks, so that the messages that they send belong to the same write
      schedule: process.nextTick,
      byteLength: Buffer.byteLength,
      maxUnsentBytes: options.maxUnsentBytes,
    });
    writable.on("drain", this.#onDrain).on("error", this.#onWriteError).on("close", this.#onWriteClose);
    readable.on("error", this.#onReadError).on("close", this.#onReadClose);
  }

  /**
   * After a failed write, the sender has to wait until the transport ends. If the sender continued to send in a loop,
   * the event loop could never run the code that ends the transport.
   */
  get full(): Promise<void> | undefined {
    const hasFailed = this.#writeError !== undefined || this.#writable.errored instanceof Error;
    const isOver = this.#failure !== undefined || this.#closing !== undefined;
    return hasFailed && !isOver ? this.#released.promise : this.#writer.full;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    if (this.#failure !== undefined || this.#closing !== undefined) {
      const error = this.#failure?.error ?? closedBeforeStart();
      queueMicrotask(() => receiver.failed(error)); // reported asynchronously, like all other events
      return;
    }
    this.#reader = new MessageReader(receiver, {
      ...this.#options,
      decode: decodeText,
      onContentLength: () => {
        this.#writer.framing = "content-length";
      },
    });
    this.#readable.on("end", this.#onEnd).on("data", this.#onData);
  }

  send(message: Message, text?: string): number {
    return this.#closing === undefined ? this.#writer.send(message, text) : 0;
  }

  pause(): void {
    if (this.#closing === undefined) this.#readable.pause();
  }

  resume(): void {
    this.#readable.resume();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.finishWriting();
    this.release();
  }

  /** Stops delivering and ends the output. Resolves when all is written, writing fails, or `closeTimeoutMs` passes. */
  finishWriting(): Promise<void> {
    this.#closing ??= Promise.resolve();
    this.#released.resolve();
    this.#reader?.stop();
    this.#stopLastWords?.();
    // Reads and drops further input; otherwise the peer could block on writing and stop reading
    this.#readable.resume();
    if (this.#failure !== undefined || this.#writeError !== undefined) return Promise.resolve();
    this.#writer.flushAll();
    const timeoutMs = this.#options.closeTimeoutMs ?? byteTransportDefaults.closeTimeoutMs;
    return new Promise((resolve) => {
      const done = (): void => {
        stopTimer();
        this.#writable.off("close", done);
        resolve();
      };
      const stopTimer = after(timeoutMs, done, { keepAlive: true });
      this.#writable.once("close", done).end(done);
    });
  }

  /** Destroys both streams and removes the listeners. */
  release(): void {
    this.#writer.end();
    this.#released.resolve();
    this.#stopLastWords?.();
    this.#readable
      .off("data", this.#onData)
      .off("end", this.#onEnd)
      .off("error", this.#onReadError)
      .off("close", this.#onReadClose)
      .on("error", nothing) // a late error of a stream that is no longer in use must not end the process
      .destroy();
    this.#writable
      .off("drain", this.#onDrain)
      .off("error", this.#onWriteError)
      .off("close", this.#onWriteClose)
      .on("error", nothing)
      .destroy();
  }

  #write({ parts, ascii }: Batch): number {
    const writable = this.#writable;
    const encoding = ascii ? "latin1" : "utf8";
    if (parts.length > 1) writable.cork();
    for (const part of parts) {
      // If the stream has room, text is written directly. Messages that have to wait are converted to bytes, which take
      // the least memory.
      const waits = part.length > LONG_CHARACTERS || writable.writableNeedDrain;
      writable.write(waits ? Buffer.from(part, encoding) : part, encoding);
    }
    if (parts.length > 1) writable.uncork();
    return writable.writableNeedDrain ? writable.writableLength : 0;
  }

  readonly #onDrain = (): void => this.#writer.drained();

  readonly #onData = (chunk: unknown): void => {
    // A string if the stream has an encoding
    this.#reader?.push(chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk)));
  };

  readonly #onEnd = (): void => {
    this.#inputEnded = true;
    this.#reader?.end();
    if (this.#closing !== undefined) return;
    if (this.#writeError?.hasLost) this.#fail(this.#writeError.error);
    else this.#receiver?.ended();
  };

  readonly #onReadError = (error: unknown): void => this.#fail(error);

  readonly #onReadClose = (): void => {
    if (!this.#inputEnded)
      this.#fail(this.#writeError?.error ?? new Error("The input stream was closed before its end."));
  };

  readonly #onWriteError = (error: unknown): void => this.#writingFailed(error, true);

  readonly #onWriteClose = (): void => {
    if (this.#writable.writableFinished) return;
    // Node closes the input of a process that has exited, often before this transport has read the end of the process's
    // output. If no message waited, none is lost, and the transport ends as if the output had ended first.
    const hasLost = this.#writable.writableLength > 0 || !this.#writer.isEmpty;
    this.#writingFailed(new Error("The output stream was closed."), hasLost);
  };

  /** Writing has failed. Messages that the peer wrote before, such as responses, are read first. */
  #writingFailed(error: unknown, hasLost: boolean): void {
    if (this.#writeError !== undefined || this.#failure !== undefined || this.#closing !== undefined) return;
    this.#writeError = { error, hasLost };
    this.#writer.end();
    if (this.#inputEnded) {
      this.#fail(error);
    } else {
      const timeoutMs = this.#options.inputGraceMs ?? INPUT_GRACE_MS;
      // If this process was busy until the timer fired, it has not read the pipe yet. The event loop reads the pipe
      // before it runs the immediate.
      const fail = (): void => void setImmediate(() => this.#fail(error));
      this.#stopLastWords = after(timeoutMs, fail, { keepAlive: true });
    }
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined || this.#closing !== undefined) return;
    this.#failure = { error };
    this.#reader?.stop();
    this.release();
    this.#receiver?.failed(error);
  }
}

const LONG_CHARACTERS = 131_072;

const nothing = (): void => {};

/** Decodes with `Buffer`, which is faster than `TextDecoder` for texts that are not longer than a chunk of a stream. */
const decodeText: DecodeText = (bytes, start, end) => {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString("utf8", start, end);
};
