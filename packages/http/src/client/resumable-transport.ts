import type { Message, TransportReceiver } from "@acp-kit/jsonrpc";
import { deferred, isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { RemoteError } from "../wire/remote-error.js";
import { textOfMessage } from "../wire/text-of-message.js";
import type { RemoteTransport } from "./remote-source.js";
import { askingToResume, identityOf, type ServerIdentity } from "./resume/identity.js";
import type { ResumingTransport, ResumingTransportOptions } from "./resume/resuming-transport.js";

/**
 * - `plain`: messages are forwarded unchanged. `initialize` is the sent request until the server has responded.
 * - `loading`: the server keeps sessions, and the module `resuming-transport` is being imported. `arrivals` are events
 *   that arrived in the meantime.
 * - `resuming`: the server keeps sessions, so the client can continue after a loss of its sockets.
 * - `ended`: closed or failed. Nothing is sent or delivered any more.
 */
type ResumableState =
  | { readonly is: "plain"; initialize?: JsonObject }
  | { readonly is: "loading"; readonly arrivals: ((receiver: TransportReceiver) => void)[] }
  | { readonly is: "ended" }
  | { readonly is: "resuming"; readonly transport: ResumingTransport };

/**
 * A connection that can continue after a loss of its sockets if the server, such as a gateway, keeps sessions without a
 * connection. The server's response to `initialize` shows whether it keeps sessions. Most servers keep none, so this
 * class imports the code that continues a connection only for a server that keeps them. With other servers, this
 * transport only forwards messages.
 */
export class ResumableTransport implements RemoteTransport {
  readonly #options: ResumingTransportOptions;
  readonly #connection: RemoteTransport;
  readonly #ended = deferred();
  /** The requests that wait until the response to `initialize` shows who sends them. */
  readonly #held: Message[] = [];
  #state: ResumableState = { is: "plain" };
  #receiver: TransportReceiver | undefined;
  #paused = false;

  constructor(options: ResumingTransportOptions) {
    this.#options = options;
    this.#connection = options.open();
    void this.#connection.ended.then(() => {
      if (this.#state.is === "plain") this.#ended.resolve();
    });
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get full(): Promise<void> | undefined {
    return this.#current.full;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    this.#connection.start({
      message: (value, size) => this.#received(value, size),
      malformed: (input) => this.#arrived((to) => to.malformed(input)),
      ended: () => this.#arrived((to) => to.ended()),
      failed: (error) => this.#arrived((to) => to.failed(error)),
    });
  }

  send(message: Message, text?: string): number {
    const state = this.#state;
    if (state.is === "ended") return 0;
    const isPlain = state.is === "plain" && state.initialize === undefined;
    const { method } = (message as JsonObject | null) ?? {}; // a caller without types can send any value
    if (isPlain && method !== "initialize") return this.#connection.send(message, text);
    // A message with a text may be one of a relay, whose members can't be copied
    const object = (text === undefined ? message : JSON.parse(text)) as JsonObject | null;
    const { id } = object ?? {};
    // Requests wait for the response, which has this id only if the id is valid
    const isValid = typeof id === "string" || Number.isInteger(id);
    if (state.is === "plain" && object?.method === "initialize" && isValid && isJsonObject(object.params)) {
      state.initialize = object;
      return this.#connection.send(askingToResume(object) as unknown as Message);
    }
    const whole = object as unknown as Message;
    if (isPlain || state.is === "resuming" || id === undefined || object?.method === undefined)
      return this.#current.send(whole);
    this.#held.push(whole);
    return textOfMessage(whole).length;
  }

  pause(): void {
    this.#paused = true;
    this.#current.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#state.is !== "loading") this.#current.resume();
  }

  async close(): Promise<void> {
    const current = this.#current;
    if (this.#state.is !== "resuming") this.#end();
    await current.close();
  }

  fail(error: RemoteError): void {
    if (this.#state.is !== "loading") {
      this.#current.fail(error);
      return;
    }
    this.#end();
    this.#connection.fail(error);
    this.#receiver?.failed(error);
  }

  get #current(): RemoteTransport | ResumingTransport {
    return this.#state.is === "resuming" ? this.#state.transport : this.#connection;
  }

  #received(value: unknown, size: number): void {
    const initialize = this.#state.is === "plain" ? this.#state.initialize : undefined;
    if (initialize !== undefined && isJsonObject(value) && !("method" in value) && value.id === initialize.id) {
      const identity = identityOf(value);
      if (identity !== undefined) {
        void this.#load(initialize, identity, value, size);
        return;
      }
      this.#state = { is: "plain" };
      this.#sendHeld();
    }
    this.#arrived((to) => to.message(value, size));
  }

  #sendHeld(): void {
    for (const message of this.#held.splice(0)) this.send(message);
  }

  /** Delivers an event of the connection to the application or to the resuming transport, or queues it. */
  #arrived(deliver: (receiver: TransportReceiver) => void): void {
    const state = this.#state;
    if (state.is === "loading") state.arrivals.push(deliver);
    else if (state.is === "resuming") deliver(state.transport.first);
    else if (state.is !== "ended" && this.#receiver !== undefined) deliver(this.#receiver);
  }

  async #load(initialize: JsonObject, identity: ServerIdentity, response: JsonObject, size: number): Promise<void> {
    const loading: ResumableState = { is: "loading", arrivals: [] };
    this.#state = loading;
    const connection = this.#connection;
    connection.pause(); // messages that were received already are queued in `arrivals`
    try {
      const { ResumingTransport } = await import("./resume/resuming-transport.js");
      if (this.#state !== loading) return;
      const begun = { connection, initialize, identity, receiver: this.#receiver as TransportReceiver };
      const transport = new ResumingTransport(this.#options, begun, (...details) => new RemoteError(...details));
      this.#state = { is: "resuming", transport };
      void transport.ended.then(() => this.#end());
      this.#sendHeld();
      transport.start(response, size);
      for (const deliver of loading.arrivals) deliver(transport.first);
      if (this.#paused) transport.pause();
      else connection.resume();
    } catch (cause) {
      const { url } = this.#options;
      const message = `The code that continues connections to ${url} could not be loaded. Pass reconnect: false on platforms that can't load modules at run time.`;
      this.fail(new RemoteError("unreachable", message, { url, cause }));
    }
  }

  #end(): void {
    this.#state = { is: "ended" };
    this.#ended.resolve();
  }
}
