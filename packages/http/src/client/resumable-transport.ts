import type { Message, TransportReceiver } from "@acp-kit/jsonrpc";
import { deferred, isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { RemoteError } from "../wire/remote-error.js";
import type { RemoteTransport } from "./remote-source.js";
import { askingToResume, identityOf, type ServerIdentity } from "./resume/identity.js";
import type { ResumingTransport, ResumingTransportOptions } from "./resume/resuming-transport.js";

/**
 * - `asking`: the server has not responded to `initialize`. `initialize` is the sent request; `calls` are the pending
 *   requests.
 * - `loading`: the server keeps sessions, and the module `resuming-transport` is being imported. `arrivals` are events
 *   that arrived in the meantime.
 * - `plain`: the server keeps no sessions. Messages are forwarded unchanged.
 * - `resuming`: the server keeps sessions, so the client can continue after a loss of its sockets.
 * - `ended`: closed or failed. Nothing is sent or delivered any more.
 */
type ResumableState =
  | Asking
  | Loading
  | { readonly is: "plain" }
  | { readonly is: "ended" }
  | { readonly is: "resuming"; readonly transport: ResumingTransport };

interface Asking {
  readonly is: "asking";
  initialize: JsonObject | undefined;
  readonly calls: Map<unknown, JsonObject>;
}

interface Loading {
  readonly is: "loading";
  readonly calls: Map<unknown, JsonObject>;
  readonly arrivals: ((receiver: TransportReceiver) => void)[];
}

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
  #state: ResumableState = { is: "asking", initialize: undefined, calls: new Map() };
  #receiver: TransportReceiver | undefined;
  #paused = false;

  constructor(options: ResumingTransportOptions) {
    this.#options = options;
    this.#connection = options.open();
    void this.#connection.ended.then(() => {
      if (this.#state.is === "asking" || this.#state.is === "plain") this.#ended.resolve();
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

  send(message: Message): number {
    const state = this.#state;
    if (state.is === "plain") return this.#connection.send(message);
    if (state.is === "resuming") return state.transport.send(message);
    if (state.is === "ended") return 0;
    return this.#connection.send(this.#asked(state, message as unknown as JsonObject) as unknown as Message);
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

  /** Records a message sent before the response to `initialize`. Returns the message to send instead. */
  #asked(state: Asking | Loading, message: JsonObject): JsonObject {
    if (!isJsonObject(message)) return message; // the server refuses an invalid message
    if (typeof message.method !== "string" || message.id === undefined) return message;
    if (state.is === "asking" && message.method === "initialize" && isJsonObject(message.params)) {
      state.initialize = message;
      return askingToResume(message);
    }
    state.calls.set(message.id, message);
    return message;
  }

  #received(value: unknown, size: number): void {
    const state = this.#state;
    if (state.is === "asking" && isJsonObject(value) && typeof value.method !== "string") {
      const { initialize, calls } = state;
      if (initialize !== undefined && value.id === initialize.id) {
        const identity = identityOf(value);
        if (identity === undefined) this.#state = { is: "plain" };
        else {
          void this.#load(initialize, identity, calls, value, size);
          return;
        }
      } else calls.delete(value.id);
    }
    if (this.#state.is === "plain") this.#receiver?.message(value, size);
    else this.#arrived((to) => to.message(value, size));
  }

  /** Delivers an event of the connection to the application or to the resuming transport, or queues it. */
  #arrived(deliver: (receiver: TransportReceiver) => void): void {
    const state = this.#state;
    if (state.is === "loading") state.arrivals.push(deliver);
    else if (state.is === "resuming") deliver(state.transport.first);
    else if (state.is !== "ended" && this.#receiver !== undefined) deliver(this.#receiver);
  }

  async #load(
    initialize: JsonObject,
    identity: ServerIdentity,
    calls: Map<unknown, JsonObject>,
    response: JsonObject,
    size: number,
  ): Promise<void> {
    const loading: Loading = { is: "loading", calls, arrivals: [] };
    this.#state = loading;
    const connection = this.#connection;
    connection.pause(); // messages that were received already are queued in `arrivals`
    try {
      const { ResumingTransport } = await import("./resume/resuming-transport.js");
      if (this.#state !== loading) return;
      const isPaused = this.#paused;
      const receiver = this.#receiver as TransportReceiver;
      const begun = { connection, initialize, identity, calls: [...calls.values()], receiver, isPaused };
      const transport = new ResumingTransport(this.#options, begun, (...details) => new RemoteError(...details));
      this.#state = { is: "resuming", transport };
      void transport.ended.then(() => this.#end());
      transport.start(response, size);
      for (const deliver of loading.arrivals) deliver(transport.first);
      if (!this.#paused) connection.resume();
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
