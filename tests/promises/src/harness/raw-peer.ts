import type { Transport } from "@acp-kit/protocol";
import { rawPeer, type ScriptedPeer } from "@acp-kit/testing";
import { Log } from "./log.js";
import type { WireMessage } from "./wire.js";

type Answer = (request: WireMessage) => object | undefined;

/** A raw peer, to which a test gives responses before the peer is connected. */
export class RawPeer {
  readonly received = new Log<WireMessage>();
  readonly #answers = new Map<string, Answer>();
  readonly #seen = new Set<WireMessage>();
  /** Sessions with streams of their own, whose messages have no common order. */
  readonly #streams: Set<string> | undefined;
  #peer: ScriptedPeer | undefined;
  #lastId = 0;

  /**
   * @param options `sessionStreams`: only messages of the same session have an order (RT-11), as behind streamable
   * HTTP.
   */
  constructor({ sessionStreams = false } = {}) {
    this.#streams = sessionStreams ? new Set() : undefined;
  }

  /** Connects the peer. A later call replaces the transport. */
  connect(transport: Transport): ScriptedPeer {
    this.#peer = rawPeer(transport, { onMessage: (message) => this.#receive(message as WireMessage) });
    return this.#peer;
  }

  #receive(message: WireMessage): void {
    this.received.push(message);
    if (message.method === undefined || message.id === undefined) return;
    const result = this.#answers.get(message.method)?.(message);
    if (result === undefined) return;
    this.#seen.add(message);
    this.respond(message, result);
  }

  /** Sets the response to every request of this method, until set again. `undefined`: no response. */
  answer(method: string, result: object | Answer): void {
    this.#answers.set(method, typeof result === "function" ? (result as Answer) : () => result);
  }

  send(message: object): void {
    this.#connected.send(message);
  }

  /** Sends any JSON value, even an invalid message. */
  sendValue(value: unknown): void {
    this.#connected.sendValue(value);
  }

  /** Sends all messages of `send` in one piece, as a fast peer does to a slow reader. */
  together(send: () => void): void {
    this.#connected.together(send);
  }

  respond({ id }: WireMessage, result: unknown): void {
    const created = (result as { sessionId?: unknown } | null)?.sessionId;
    if (typeof created === "string") this.#streams?.add(created);
    this.send({ id, result });
  }

  refuse({ id }: WireMessage, code: number, message = "refused"): void {
    this.send({ id, error: { code, message } });
  }

  notify(method: string, params?: object): void {
    this.send({ method, params });
  }

  update(sessionId: string, update: object): void {
    this.notify("session/update", { sessionId, update });
  }

  /** A chunk of the agent's message. */
  say(sessionId: string, text: string): void {
    this.update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  /** Sends a request and resolves with its whole response. */
  request(method: string, params?: object, id: number | string = `raw-${++this.#lastId}`): Promise<WireMessage> {
    return this.#connected.request(method, params, { id }) as Promise<unknown> as Promise<WireMessage>;
  }

  /** Resolves with the next message of this method that the test has not read yet. */
  async next(method: string): Promise<WireMessage> {
    const message = await this.received.until((message) => message.method === method && !this.#seen.has(message));
    this.#seen.add(message);
    return message;
  }

  /**
   * Resolves with the responses to requests with an unknown method. At that time, the other side has handled all
   * messages that were sent before. `sessions: false` waits for no session, for tests in which a session's listener
   * never returns.
   */
  fence({ sessions = true } = {}): Promise<WireMessage[]> {
    const inSessions = Array.from(sessions ? (this.#streams ?? []) : [], (sessionId) =>
      this.request("_test/fence", { sessionId }),
    );
    return Promise.all([this.request("_test/fence"), ...inSessions]);
  }

  /** The received lines that are not JSON. */
  get unreadable(): unknown[] {
    const { seen, side } = this.#connected;
    return seen.filter(({ from, message }) => from !== side && message === undefined).map(({ text }) => text);
  }

  /** Closes the connection, and rejects if a response function has thrown an error. */
  async close(): Promise<void> {
    await this.#peer?.close();
  }

  get #connected(): ScriptedPeer {
    if (this.#peer === undefined) throw new Error("The raw peer is not connected");
    return this.#peer;
  }
}
