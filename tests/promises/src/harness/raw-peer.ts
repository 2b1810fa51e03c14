import { Log } from "./log.js";
import { isResponse, type WireMessage } from "./wire.js";

type Answer = (request: WireMessage) => object | undefined;

/** The other end of a connection as a test plays it by hand: no library, no checks, whatever order it likes. */
export class RawPeer {
  readonly received = new Log<WireMessage>();
  readonly #post: (messages: readonly unknown[]) => void;
  #held: unknown[] | undefined;
  readonly #answers = new Map<string, Answer>();
  readonly #seen = new Set<WireMessage>();
  /** Sessions that travel apart from the rest of the connection, and from each other. */
  readonly #streams: Set<string> | undefined;
  #lastId = 0;

  /**
   * @param post sends messages in one go: in one tick, in one write.
   * @param options `sessionStreams`: what is sent has an order in each session only (RT-11), as the messages of an agent behind streamable HTTP.
   */
  constructor(post: (messages: readonly unknown[]) => void, { sessionStreams = false } = {}) {
    this.#post = post;
    this.#streams = sessionStreams ? new Set() : undefined;
  }

  /** To be called with everything that arrives. */
  readonly receive = (message: WireMessage): void => {
    this.received.push(message);
    if (message.method === undefined || message.id === undefined) return;
    const result = this.#answers.get(message.method)?.(message);
    if (result === undefined) return;
    this.#seen.add(message);
    this.respond(message, result);
  };

  /** Responds to every request of this method, until set again; `undefined` leaves it open. */
  answer(method: string, result: object | Answer): void {
    this.#answers.set(method, typeof result === "function" ? (result as Answer) : () => result);
  }

  send(message: object): void {
    this.sendValue({ jsonrpc: "2.0", ...message });
  }

  /** Sends any JSON value, message or not. */
  sendValue(value: unknown): void {
    if (this.#held === undefined) this.#post([value]);
    else this.#held.push(value);
  }

  /** Everything that `send` sends arrives in one piece, as when a fast peer and a slow reader meet. */
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

  /** The next message of this method that no test has looked at yet. */
  async next(method: string): Promise<WireMessage> {
    const message = await this.received.until((message) => message.method === method && !this.#seen.has(message));
    this.#seen.add(message);
    return message;
  }

  /**
   * Resolves when everything sent before has been read and handled: an unknown method gets its response at once. Returns these responses.
   * `sessions: false` waits for no session, as one whose listener is stuck.
   */
  fence({ sessions = true } = {}): Promise<WireMessage[]> {
    const inSessions = Array.from(sessions ? (this.#streams ?? []) : [], (sessionId) =>
      this.request("_test/fence", { sessionId }),
    );
    return Promise.all([this.request("_test/fence"), ...inSessions]);
  }
}
