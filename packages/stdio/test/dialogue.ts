import type { Transport } from "@acp-kit/jsonrpc";
import { Recorder } from "./recorder.js";

/** A minimal connection: requests by id over a transport, and their outcome. */
export class Dialogue {
  readonly receiver: Recorder = new Recorder();
  readonly transport: Transport;
  #lastId = 0;

  constructor(transport: Transport) {
    this.transport = transport;
    transport.start(this.receiver);
  }

  notify(method: string, params?: unknown): void {
    this.transport.send({ jsonrpc: "2.0", method, params });
  }

  /**
   * Resolves with the result. If the transport fails, the promise stays pending, and {@link failure} resolves with the
   * error.
   */
  async request(method: string, params?: unknown): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.transport.send({ jsonrpc: "2.0", id, method, params });
    const isAnswer = (message: unknown): message is { result: unknown } => (message as { id?: unknown }).id === id;
    await this.receiver.until(({ messages }) => messages.some(isAnswer));
    return this.receiver.messages.find(isAnswer)?.result;
  }

  failure(): Promise<unknown> {
    return this.receiver.failure();
  }
}
