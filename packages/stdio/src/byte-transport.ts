import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { checkOptions, closedBeforeStart, type OptionKinds, settledWithin } from "@acp-kit/jsonrpc/internal";
import { type ByteTransportOptions, byteTransportDefaults, type FixedTransportLimits } from "./limits.js";
import { MessageReader } from "./message-reader.js";
import { type Batch, MessageWriter } from "./message-writer.js";

/** Two web streams of bytes, one for each direction, such as those of sockets, workers and `fetch`. */
export interface ByteStreams {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/**
 * Creates a transport for newline-delimited JSON over a pair of web streams of bytes. In Node, `nodeTransport` of
 * `@acp-kit/stdio/node` does the same over Node's own streams, at a fraction of the cost.
 *
 * While a write is in progress, the transport collects further messages for the next write. The transport locks the
 * streams and owns them.
 */
export function byteTransport(streams: ByteStreams, options: ByteTransportOptions = {}): Transport {
  checkOptions("byteTransport", options, optionKinds);
  return new ByteTransport(streams, options);
}

const optionKinds: OptionKinds<ByteTransportOptions> = {
  maxMessageBytes: "value",
  closeTimeoutMs: "value",
};

/** A chunk is read in slices of this size in bytes, so that a pause takes effect soon within a large chunk. */
const READ_SLICE_BYTES = 65_536;

/** @internal The transport of {@link byteTransport}. */
export class ByteTransport implements Transport {
  readonly #input: ReadableStreamDefaultReader<Uint8Array>;
  readonly #output: WritableStreamDefaultWriter<Uint8Array>;
  readonly #options: ByteTransportOptions & FixedTransportLimits;
  readonly #writer: MessageWriter;
  readonly #encoder = new TextEncoder();
  #reader: MessageReader | undefined;
  #receiver: TransportReceiver | undefined;
  #paused: { readonly until: Promise<void>; readonly resume: () => void } | undefined;
  #waiting = 0;
  #closing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor({ readable, writable }: ByteStreams, options: ByteTransportOptions & FixedTransportLimits) {
    this.#input = readable.getReader();
    this.#output = writable.getWriter();
    this.#options = options;
    this.#writer = new MessageWriter({
      write: (batch) => this.#write(batch),
      schedule: (flush) => queueMicrotask(flush), // wrapped, because browsers don't run `queueMicrotask` as a method
      maxUnsentBytes: options.maxUnsentBytes,
    });
    this.#output.closed.catch((error: unknown) => this.#fail(error));
    this.#input.closed.catch(nothing); // reading reports the error
  }

  get full(): Promise<void> | undefined {
    return this.#writer.full;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    if (this.#failure !== undefined || this.#closing !== undefined) {
      const error = this.#failure?.error ?? closedBeforeStart();
      queueMicrotask(() => receiver.failed(error));
      return;
    }
    this.#reader = new MessageReader(receiver, {
      ...this.#options,
      onContentLength: () => {
        this.#writer.framing = "content-length";
      },
    });
    void this.#read(this.#reader, receiver);
  }

  send(message: Message, text?: string): number {
    return this.#closing === undefined ? this.#writer.send(message, text) : 0;
  }

  pause(): void {
    if (this.#paused !== undefined || this.#closing !== undefined) return;
    let resume = (): void => {};
    const until = new Promise<void>((resolve) => {
      resume = resolve;
    });
    this.#paused = { until, resume };
  }

  resume(): void {
    this.#paused?.resume();
    this.#paused = undefined;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#reader?.stop();
    this.resume(); // reads and drops further input; otherwise the peer could block on writing and stop reading
    const timeoutMs = this.#options.closeTimeoutMs ?? byteTransportDefaults.closeTimeoutMs;
    if (this.#failure === undefined) {
      this.#writer.flushAll();
      await settledWithin(timeoutMs, this.#output.close(), { keepAlive: true });
    }
    this.#writer.end();
    const ended = Promise.allSettled([this.#output.abort(), this.#input.cancel()]);
    await settledWithin(timeoutMs, ended, { keepAlive: true });
  }

  async #read(reader: MessageReader, receiver: TransportReceiver): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#input.read();
        if (done) break;
        for (let start = 0; start < value.length; start += READ_SLICE_BYTES) {
          if (this.#paused !== undefined) await this.#paused.until;
          reader.push(value.subarray(start, start + READ_SLICE_BYTES));
        }
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#paused !== undefined) await this.#paused.until;
    if (this.#closing !== undefined || this.#failure !== undefined) return;
    reader.end();
    receiver.ended();
  }

  #write({ parts, bytes }: Batch): number {
    let written: Promise<void> = Promise.resolve();
    for (const part of parts) {
      written = this.#output.write(this.#encoder.encode(part));
      written.catch(nothing); // `closed` reports the error
    }
    this.#waiting += 1;
    written.then(() => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#writer.drained();
    }, nothing);
    return bytes;
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined || this.#closing !== undefined) return;
    this.#failure = { error };
    this.#reader?.stop();
    this.#writer.end();
    this.resume();
    this.#receiver?.failed(error);
  }
}

function nothing(): void {}
