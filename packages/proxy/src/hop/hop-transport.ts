import { ConnectionError, type Message, type Transport, type TransportReceiver } from "@acp-kit/jsonrpc";
import { type Deferred, DeliveryQueue, deferred, type ScannedMessage, scanEnvelope } from "@acp-kit/jsonrpc/internal";
import { diagnosticReporter } from "@acp-kit/protocol/internal";
import type { OpenedProxy } from "../create-proxy.js";
import { Exchange } from "./exchange.js";
import type { Side } from "./side.js";

/** A transport that passes all messages through an ACP proxy. */
export class HopTransport implements Transport {
  readonly #inner: Transport;
  readonly #near: Side;
  readonly #far: Side;
  readonly #proxy: OpenedProxy;
  readonly #exchange: Exchange;
  readonly #toNear = new DeliveryQueue();
  #receiver: TransportReceiver | undefined;
  /** Who has paused reading from the far side. */
  #isPausedByNear = false;
  #isPausedByProxy = false;
  /** Set while the proxy holds too many bytes of the near side. */
  #full: Deferred<void> | undefined;
  #sentSize = 0;
  #isEnded = false;

  /**
   * @param near the side that uses this transport.
   * @param inner the transport to the other side.
   */
  constructor(near: Side, inner: Transport, proxy: OpenedProxy, index: number) {
    this.#near = near;
    this.#far = near === "client" ? "agent" : "client";
    this.#inner = inner;
    this.#proxy = proxy;
    this.#exchange = new Exchange(proxy, index, {
      send: (to, message, size, text) => {
        if (to === this.#near) this.#toNear.deliver(message, size, text);
        else if (!this.#isEnded) this.#sentSize += inner.send(message, text);
      },
      pause: (from) => {
        if (from === this.#near) this.#full ??= deferred();
        else this.#read(this.#isPausedByNear, true);
      },
      resume: (from) => {
        if (from === this.#near) this.#release();
        else this.#read(this.#isPausedByNear, false);
      },
      fail: (error) => this.#fail(error),
    });
  }

  get command(): string | undefined {
    return this.#inner.command;
  }

  get full(): Promise<void> | undefined {
    const { full } = this.#inner;
    if (this.#full === undefined) return full;
    return full === undefined ? this.#full.promise : Promise.all([full, this.#full.promise]).then(() => {});
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    this.#toNear.start(receiver);
    this.#inner.start({
      // A receiver in this process needs values, so the transport parses the text once.
      ...(receiver.text !== undefined && { text: (text, size, read) => this.#receivedText(text, size, read) }),
      message: (value, size) => this.#received(value, size),
      malformed: (input) => {
        if (this.#isEnded) return;
        this.#toNear.flush();
        receiver.malformed(input);
      },
      ended: () => {
        if (this.#isEnded) return;
        this.#exchange.ended(this.#far, () => {
          if (this.#isEnded) return;
          this.#toNear.end();
          receiver.ended();
        });
      },
      failed: (error) => {
        if (!this.#end(error)) return;
        receiver.failed(error);
      },
    });
  }

  send(message: Message, text?: string): number {
    return this.#toNear.whileSending(() => {
      this.#sentSize = 0;
      this.#exchange.receive(this.#near, message, 0, text);
      return this.#sentSize;
    });
  }

  pause(): void {
    this.#read(true, this.#isPausedByProxy);
  }

  resume(): void {
    this.#read(false, this.#isPausedByProxy);
  }

  async close(): Promise<void> {
    this.#end(new ConnectionError("closed", "The connection was closed"));
    await this.#inner.close();
  }

  /** @param read the message, if another hop has read it: each text is scanned once in a chain. */
  #receivedText(text: string, size: number, read: Message | undefined): boolean {
    const scanned = (read as ScannedMessage | undefined) ?? scanEnvelope(text);
    if (scanned === undefined) return false;
    if (this.#exchange.passes(this.#far, scanned)) this.#received(scanned, size, text);
    else {
      try {
        this.#received(JSON.parse(text), size, text);
      } catch {
        return false; // the transport reports that it is not JSON
      }
    }
    return true;
  }

  #received(value: unknown, size: number, text?: string): void {
    if (this.#isEnded) return;
    this.#toNear.flush();
    try {
      this.#exchange.receive(this.#far, value, size, text);
    } catch (cause) {
      const message = `A message of the ${this.#far} could not be copied, and was dropped`;
      diagnosticReporter(this.#proxy.onDiagnostic)({ code: "unserializable", message, cause });
    }
  }

  #read(isPausedByNear: boolean, isPausedByProxy: boolean): void {
    const was = this.#isPausedByNear || this.#isPausedByProxy;
    const is = isPausedByNear || isPausedByProxy;
    this.#isPausedByNear = isPausedByNear;
    this.#isPausedByProxy = isPausedByProxy;
    if (was === is) return;
    if (is) this.#inner.pause();
    else this.#inner.resume();
  }

  #release(): void {
    this.#full?.resolve();
    this.#full = undefined;
  }

  #fail(error: unknown): void {
    if (!this.#end(error)) return;
    void this.#inner.close();
    this.#receiver?.failed(error);
  }

  #end(error: unknown): boolean {
    if (this.#isEnded) return false;
    this.#toNear.end();
    this.#isEnded = true;
    this.#exchange.close(error);
    this.#release();
    return true;
  }
}
