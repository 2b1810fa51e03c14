import { type LinkedTransport, linkedTransports, type Message, type TransportReceiver } from "@acp-kit/jsonrpc";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { type ByteTransportOptions, MessageReader } from "@acp-kit/stdio";
import type { RawTransport } from "./raw-transport.js";

/** Options of {@link openMemoryPair}. */
export type MemoryPairOptions = Pick<ByteTransportOptions, "maxMessageBytes">;

/**
 * Creates two connected transports in one process that exchange bytes: output is split into lines and parsed as on a
 * pipe, so that garbage, incomplete lines and oversized messages behave the same. Messages are delivered in order and
 * asynchronously, in a microtask.
 */
export function openMemoryPair(options: MemoryPairOptions = {}): [RawTransport, RawTransport] {
  checkOptions("openMemoryPair", options, optionKinds);
  const [a, b] = linkedTransports({ serialize: false });
  return [new MemoryEnd(a, options), new MemoryEnd(b, options)];
}

const optionKinds: OptionKinds<MemoryPairOptions> = { maxMessageBytes: "value" };

/** The value that an end sends over the link after its last bytes. */
const END = Symbol("end");

class MemoryEnd implements RawTransport {
  readonly #link: LinkedTransport;
  readonly #options: MemoryPairOptions;
  readonly #encoder = new TextEncoder();
  #outputEnded = false;
  #inputEnded = false;

  constructor(link: LinkedTransport, options: MemoryPairOptions) {
    this.#link = link;
    this.#options = options;
  }

  get full(): Promise<void> | undefined {
    return this.#link.full;
  }

  start(receiver: TransportReceiver): void {
    const reader = new MessageReader(receiver, this.#options);
    const ended = (): void => {
      if (this.#inputEnded) return;
      this.#inputEnded = true;
      reader.end();
      receiver.ended();
    };
    this.#link.start({
      message: (packet) => (packet === END ? ended() : reader.push(packet as Uint8Array)),
      malformed() {}, // never called, because the other end sends bytes
      ended,
      failed: (error) => receiver.failed(error),
    });
  }

  send(message: Message): number {
    const text: string | undefined = JSON.stringify(message);
    if (text === undefined) throw new TypeError(`JSON can't represent ${typeof message}: nothing was sent`);
    return this.#write(`${text}\n`) - 1;
  }

  write(data: string | Uint8Array): void {
    this.#write(data);
  }

  endOutput(): void {
    if (this.#outputEnded) return;
    this.#post(END);
    this.#outputEnded = true;
  }

  break(error: unknown): void {
    this.#link.break(error);
  }

  pause(): void {
    this.#link.pause();
  }

  resume(): void {
    this.#link.resume();
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #write(data: string | Uint8Array): number {
    const bytes = typeof data === "string" ? this.#encoder.encode(data) : data;
    this.#post(bytes);
    return bytes.length;
  }

  /** Sends a chunk of bytes or {@link END} over the link, which carries any value in spite of its type. */
  #post(packet: unknown): void {
    if (!this.#outputEnded) this.#link.send(packet as Message);
  }
}
