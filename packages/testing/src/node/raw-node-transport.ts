import { closeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { type NodeTransportOptions, nodeTransport } from "@acp-kit/stdio/node";
import type { RawTransport } from "../raw-transport.js";

/** Options of {@link rawNodeTransport}. */
export interface RawNodeTransportOptions extends NodeTransportOptions {
  /** Called after the writable stream was ended, to close a standard stream's descriptor, which Node leaves open. */
  readonly onOutputEnded?: () => void;
}

/**
 * Creates a transport for newline-delimited JSON over two Node streams that can also write any text and bytes. Unlike
 * `nodeTransport`, it writes each message immediately and separately, so that messages and text keep their order.
 */
export function rawNodeTransport(
  readable: Readable,
  writable: Writable,
  options: RawNodeTransportOptions = {},
): RawTransport {
  checkOptions("rawNodeTransport", options, optionKinds);
  return new RawNodeTransport(readable, writable, options);
}

const optionKinds: OptionKinds<RawNodeTransportOptions> = {
  onOutputEnded: "function",
  maxMessageBytes: "value",
  closeTimeoutMs: "value",
};

class RawNodeTransport implements RawTransport {
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #transport: Transport;
  readonly #onOutputEnded: () => void;
  #outputEnded = false;

  constructor(readable: Readable, writable: Writable, options: RawNodeTransportOptions) {
    this.#readable = readable;
    this.#writable = writable;
    const { onOutputEnded = () => {}, ...rest } = options;
    this.#transport = nodeTransport(readable, writable, rest);
    this.#onOutputEnded = onOutputEnded;
  }

  get full(): Promise<void> | undefined {
    const writable = this.#writable;
    if (!writable.writableNeedDrain || writable.destroyed) return undefined;
    return new Promise((resolve) => {
      const done = (): void => {
        writable.off("drain", done).off("close", done);
        resolve();
      };
      writable.on("drain", done).on("close", done);
    });
  }

  start(receiver: TransportReceiver): void {
    this.#transport.start(receiver);
  }

  send(message: Message): number {
    const text: string | undefined = JSON.stringify(message);
    if (text === undefined) throw new TypeError(`JSON can't represent ${typeof message}: nothing was sent`);
    this.write(`${text}\n`);
    return Buffer.byteLength(text);
  }

  write(data: string | Uint8Array): void {
    if (!this.#outputEnded && this.#writable.writable) this.#writable.write(data);
  }

  endOutput(): void {
    if (this.#outputEnded) return;
    this.#outputEnded = true;
    this.#writable.end(this.#onOutputEnded);
  }

  break(error: unknown): void {
    const reason = error instanceof Error ? error : new Error(String(error));
    this.#readable.destroy(reason);
    this.#writable.destroy(reason);
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  async close(): Promise<void> {
    await this.#transport.close();
    this.#outputEnded = true;
  }
}

/** Closes this process's standard output permanently. The call has no effect if the output is already closed. */
export function closeStdout(): void {
  try {
    closeSync(1);
  } catch {
    // It is closed already.
  }
}
