import type { Message } from "@acp-kit/jsonrpc";
import { byteTransportDefaults } from "./limits.js";
import type { Framing } from "./message-reader.js";

/** How a {@link MessageWriter} writes. */
export interface MessageWriterOptions {
  /** Takes bytes to the peer, in order, and returns how many of them wait: 0 to go on, else `drained()` is awaited. */
  readonly write: (chunks: readonly Uint8Array[]) => number;
  /** Calls `flush` once, soon: whatever is sent until then leaves in the same write. */
  readonly schedule: (flush: () => void) => void;
  /** Bytes above which a batch is written at once, and above which `full` asks to wait. Default 64 KiB. */
  readonly highWaterMarkBytes?: number | undefined;
}

/** Messages are encoded into slabs of this size; one that may not fit into half of it gets a piece of its own. */
const SLAB_BYTES = 65_536;

/**
 * Makes bytes of messages and gathers those of one tick into one write. While the peer doesn't read, it gathers on;
 * heeding `full` is the sender's part.
 */
export class MessageWriter {
  /** How messages are framed from now on. */
  framing: Framing = "newline";

  readonly #options: MessageWriterOptions;
  readonly #highWaterMarkBytes: number;
  readonly #encoder = new TextEncoder();
  readonly #flush = (): void => {
    this.#scheduled = false;
    this.flush();
  };
  #slab = new Uint8Array(0);
  /** The slab's bytes from `#start` to `#end` belong to the batch. */
  #start = 0;
  #end = 0;
  /** The batch before the slab's part of it. */
  #chunks: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Written, but not taken: nothing more is written until it is. */
  #waitingBytes = 0;
  #scheduled = false;
  #ended = false;
  #room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(options: MessageWriterOptions) {
    this.#options = options;
    this.#highWaterMarkBytes = options.highWaterMarkBytes ?? byteTransportDefaults.highWaterMarkBytes;
  }

  /** See `Transport.full`. */
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
   * Accepts a message and returns its size in bytes, framing excluded. After the end it does nothing.
   *
   * @throws {TypeError} when the message can't be serialised.
   */
  send(message: Message): number {
    if (this.#ended) return 0;
    const text = serialize(message);
    const size = this.framing === "newline" ? this.#appendLine(text) : this.#appendFramed(text);
    if (this.#waitingBytes > 0) return size;
    if (this.#pendingBytes >= this.#highWaterMarkBytes) {
      this.flush();
    } else if (!this.#scheduled) {
      this.#scheduled = true;
      this.#options.schedule(this.#flush);
    }
    return size;
  }

  /** Writes what was accepted, unless the peer has to take what was written first. */
  flush(): void {
    if (this.#waitingBytes > 0 || this.#pendingBytes === 0) return;
    this.#seal();
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#pendingBytes = 0;
    this.#waitingBytes = this.#options.write(chunks);
  }

  /** Writes everything that was accepted, whatever waits: for the orderly end. */
  flushAll(): void {
    this.#waitingBytes = 0;
    this.flush();
  }

  /** The peer has taken what was written. */
  drained(): void {
    this.#waitingBytes = 0;
    this.flush();
    if (!this.#isFull()) this.#release();
  }

  /** Nothing can be written any more: what waits is dropped, whoever waits is released. */
  end(): void {
    this.#ended = true;
    this.#chunks = [];
    this.#slab = new Uint8Array(0);
    this.#pendingBytes = 0;
    this.#waitingBytes = 0;
    this.#start = 0;
    this.#end = 0;
    this.#release();
  }

  #isFull(): boolean {
    return this.#waitingBytes > 0 && this.#waitingBytes + this.#pendingBytes >= this.#highWaterMarkBytes;
  }

  #release(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #appendLine(text: string): number {
    const size = this.#append(text);
    this.#makeRoom(1);
    this.#slab[this.#end] = 0x0a;
    this.#end += 1;
    this.#pendingBytes += 1;
    return size;
  }

  #appendFramed(text: string): number {
    const body = this.#encoder.encode(text);
    this.#append(`Content-Length: ${body.length}\r\n\r\n`);
    this.#appendPiece(body);
    return body.length;
  }

  #append(text: string): number {
    const most = text.length * 3; // UTF-8 takes at most three bytes for a UTF-16 unit
    if (most > SLAB_BYTES / 2) return this.#appendPiece(this.#encoder.encode(text));
    this.#makeRoom(most);
    const { written } = this.#encoder.encodeInto(text, this.#slab.subarray(this.#end));
    this.#end += written;
    this.#pendingBytes += written;
    return written;
  }

  #appendPiece(bytes: Uint8Array): number {
    this.#seal();
    this.#chunks.push(bytes);
    this.#pendingBytes += bytes.length;
    return bytes.length;
  }

  #makeRoom(bytes: number): void {
    if (this.#slab.length - this.#end >= bytes) return;
    this.#seal();
    this.#slab = new Uint8Array(SLAB_BYTES);
    this.#start = 0;
    this.#end = 0;
  }

  /** Makes the slab's part of the batch a chunk. What is written is never touched again: the slab goes on behind it. */
  #seal(): void {
    if (this.#end > this.#start) this.#chunks.push(this.#slab.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }
}

function serialize(message: Message): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(message);
  } catch (cause) {
    throw new TypeError(`The message can't be serialised: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  if (text === undefined) throw new TypeError("The message can't be serialised: it has no JSON form.");
  return text;
}
