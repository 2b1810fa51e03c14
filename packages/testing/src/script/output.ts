import type { Message, Transport } from "@acp-kit/jsonrpc";
import { isRawTransport, type RawTransport } from "../raw-transport.js";
import type { Side, WireMessage } from "../wire-message.js";
import type { MessageLog } from "./message-log.js";

/** The way out of a scripted peer: values and text, one by one or together. */
export class Output {
  readonly #transport: Transport;
  readonly #side: Side;
  readonly #log: MessageLog;
  /** What is gathered by `together`. */
  #gathered: (() => void)[] | undefined;
  #gatheredText = "";
  #ended = false;

  constructor(transport: Transport, side: Side, log: MessageLog) {
    this.#transport = transport;
    this.#side = side;
    this.#log = log;
  }

  value(value: unknown): void {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new TypeError(`JSON has no word for ${typeof value}`);
    if (this.#ended) return;
    const copy: unknown = JSON.parse(text); // what the test does with its object later is not what was sent
    this.#log.add(this.#side, isObject(copy) ? copy : undefined, isObject(copy) ? undefined : text);
    const transport = this.#transport;
    if (this.#gathered === undefined) transport.send(copy as Message);
    else if (isRawTransport(transport)) this.#gatheredText += `${text}\n`;
    else this.#gathered.push(() => void transport.send(copy as Message));
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
      throw needsRaw(`write ${JSON.stringify(text.slice(0, 40))}, which is no JSON`);
    }
    this.value(value);
  }

  text(text: string): void {
    const transport = this.raw("write text");
    if (this.#ended) return;
    this.#log.add(this.#side, undefined, text);
    if (this.#gathered === undefined) transport.write(text);
    else this.#gatheredText += text;
  }

  together(send: () => void): void {
    if (this.#gathered !== undefined) {
      send();
      return;
    }
    const gathered: (() => void)[] = [];
    this.#gathered = gathered;
    this.#gatheredText = "";
    try {
      send();
    } finally {
      this.#gathered = undefined;
      if (this.#gatheredText !== "") this.raw("write text").write(this.#gatheredText);
      for (const post of gathered) post();
    }
  }

  /** The transport, for what only a raw one can do. */
  raw(what: string): RawTransport {
    if (!isRawTransport(this.#transport)) throw needsRaw(what);
    return this.#transport;
  }

  end(): void {
    this.#ended = true;
  }
}

function needsRaw(what: string): TypeError {
  return new TypeError(
    `This transport can't ${what}: it takes one end of openMemoryPair(), or of @acp-kit/testing/node`,
  );
}

function isObject(value: unknown): value is WireMessage {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
