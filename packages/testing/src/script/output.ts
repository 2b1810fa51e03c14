import type { Message, Transport } from "@acp-kit/jsonrpc";
import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import { joinBytes } from "../join-bytes.js";
import { isRawTransport, type RawTransport } from "../raw-transport.js";
import type { Side } from "../wire-message.js";
import type { MessageLog } from "./message-log.js";

/** The output of a scripted peer. It sends values and text one by one or together in one piece. */
export class Output {
  readonly #transport: Transport;
  readonly #side: Side;
  readonly #log: MessageLog;
  #gathered: (string | Uint8Array | Message)[] | undefined;
  #ended = false;

  constructor(transport: Transport, side: Side, log: MessageLog) {
    this.#transport = transport;
    this.#side = side;
    this.#log = log;
  }

  value(value: unknown): void {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new TypeError(`JSON can't represent ${typeof value}`);
    if (this.#ended) return;
    const copy: unknown = JSON.parse(text); // copied, because the test may change its object later
    this.#log.add(this.#side, isJsonObject(copy) ? copy : undefined, isJsonObject(copy) ? undefined : text);
    const transport = this.#transport;
    if (this.#gathered === undefined) transport.send(copy as Message);
    else if (isRawTransport(transport)) this.#gathered.push(`${text}\n`);
    else this.#gathered.push(copy as Message);
  }

  line(text: string): void {
    if (isRawTransport(this.#transport)) {
      this.text(`${text}\n`);
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw needsRaw(`write ${JSON.stringify(text.slice(0, 40))}, which is not JSON`);
    }
    this.value(value);
  }

  text(text: string | Uint8Array): void {
    const transport = this.raw("write text");
    if (this.#ended) return;
    this.#log.add(this.#side, undefined, typeof text === "string" ? text : new TextDecoder().decode(text));
    if (this.#gathered === undefined) transport.write(text);
    else this.#gathered.push(text);
  }

  together(send: () => void): void {
    if (this.#gathered !== undefined) {
      send();
      return;
    }
    const gathered: (string | Uint8Array | Message)[] = [];
    this.#gathered = gathered;
    try {
      send();
    } finally {
      this.#gathered = undefined;
      this.#post(gathered);
    }
  }

  /** Sends the collected messages in one write if the transport supports it, otherwise in one tick. */
  #post(gathered: readonly (string | Uint8Array | Message)[]): void {
    const transport = this.#transport;
    if (!isRawTransport(transport)) {
      for (const message of gathered) transport.send(message as Message);
    } else if (gathered.length > 0) {
      const encoder = new TextEncoder();
      const parts = gathered.map((part) => (typeof part === "string" ? encoder.encode(part) : (part as Uint8Array)));
      transport.write(joinBytes(parts));
    }
  }

  /** Returns the transport, for features that only a `RawTransport` has. */
  raw(what: string): RawTransport {
    if (!isRawTransport(this.#transport)) throw needsRaw(what);
    return this.#transport;
  }

  end(): void {
    this.#ended = true;
  }
}

function needsRaw(what: string): TypeError {
  return new TypeError(`This transport can't ${what}: use one of openMemoryPair() or of @acp-kit/testing/node`);
}
