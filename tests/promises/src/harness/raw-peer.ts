import { Log } from "./log.js";
import { isResponse, type WireMessage } from "./wire.js";

type Answer = (request: WireMessage) => object | undefined;

/** A peer that a test controls: no library, no checks, any order of messages. */
export class RawPeer {
  readonly received = new Log<WireMessage>();
  readonly #post: (messages: readonly unknown[]) => void;
  #held: unknown[] | undefined;
  readonly #answers = new Map<string, Answer>();
  readonly #seen = new Set<WireMessage>();
  /** Sessions with streams of their own, whose messages have no common order. */
  readonly #streams: Set<string> | undefined;
  #lastId = 0;

  /**
   * @param post sends messages in one tick or in one write.
   * @param options `sessionStreams`: only messages of the same session have an order (RT-11), as behind streamable
   * HTTP.
   */
  constructor(post: (messages: readonly unknown[]) => void, { sessionStreams = false } = {}) {
    this.#post = post;
    this.#streams = sessionStreams ? new Set() : undefined;
  }

  /** The transport calls this with every received message. */
  readonly receive = (message: WireMessage): void => {
    this.received.push(message);
    if (message.method === undefined || message.id === undefined) return;
    const result = this.#answers.get(message.method)?.(message);
    if (result === undefined) return;
    this.#seen.add(message);
    this.respond(message, result);
  };

  /** Sets the response to every request of this method, until set again. `undefined`: no response. */
  answer(method: string, result: object | Answer): void {
    this.#answers.set(method, typeof result === "function" ? (result as Answer) : () => result);
  }

  send(message: object): void {
    this.sendValue({ jsonrpc: "2.0", ...message });
  }

  /** Sends any JSON value, even an invalid message. */
  sendValue(value: unknown): void {
    if (this.#held === undefined) this.#post([value]);
    else this.#held.push(value);
  }

  /** Sends all messages of `send` in one piece, as a fast peer does to a slow reader. */
  together(send: () => void): void {
    this.#held = [];
    send();
    const messages = this.#held;
    this.#held = undefined;
    this.#post(messages);
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
    const response = this.received.until((message) => isResponse(message) && message.id === id);
    this.send({ id, method, params });
    return response;
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
}
