import { deferred, type Message, type TransportReceiver } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject } from "../wire/message-kind.js";
import { RemoteError } from "../wire/remote-error.js";
import type { RemoteTransport } from "./remote-source.js";
import { askingToResume, identityOf, type ServerIdentity } from "./resume/identity.js";
import type { ResumingTransport, ResumingTransportOptions } from "./resume/resuming-transport.js";

/**
 * - `asking`: until the server has responded to `initialize`. `initialize` is the request, once it was sent; `calls` are other requests since.
 * - `loading`: the server keeps sessions, and the code for it is being loaded. `arrivals` wait.
 * - `plain`: the server keeps none. Messages pass as they are.
 * - `resuming`: the connection outlives its sockets.
 * - `ended`: closed, or given up. Nothing is sent or delivered any more.
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
 * A connection that outlives its sockets, if the server keeps sessions: the response to `initialize` says so. The code for it is loaded then, because
 * most servers keep none. With those it changes nothing.
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

  /** A message of the application before it is known whether the server keeps sessions, as it leaves. */
  #asked(state: Asking | Loading, message: JsonObject): JsonObject {
    if (!isJsonObject(message)) return message; // nonsense of the application is the server's to refuse
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

  /** Delivers what the connection brings: to the application, to what continues the connection, or later. */
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
    connection.pause(); // what has arrived already waits in `arrivals`
    try {
      const { ResumingTransport } = await import("./resume/resuming-transport.js");
      if (this.#state !== loading) return;
      const isPaused = this.#paused;
      const receiver = this.#receiver as TransportReceiver;
      const begun = { connection, initialize, identity, calls: [...calls.values()], receiver, isPaused };
      const transport = new ResumingTransport(this.#options, begun);
      this.#state = { is: "resuming", transport };
      void transport.ended.then(() => this.#end());
      transport.start(response, size);
      for (const deliver of loading.arrivals) deliver(transport.first);
      if (!this.#paused) connection.resume();
    } catch (cause) {
      const { url } = this.#options;
      const message = `The code that continues connections to ${url} could not be loaded. Pass reconnect: false where modules can't be loaded later.`;
      this.fail(new RemoteError("unreachable", message, { url, cause }));
    }
  }

  #end(): void {
    this.#state = { is: "ended" };
    this.#ended.resolve();
  }
}
