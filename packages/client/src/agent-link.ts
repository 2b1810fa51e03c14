import { ConnectionError, type Transport } from "@acp-kit/protocol";
import type { IncomingInitializeResponse } from "@acp-kit/types";
import type { ClientPeer } from "./client-peer.js";
import type { OpenRequests } from "./open-requests.js";
import type { VersionConnection } from "./version.js";

/**
 * A transport that can be opened again after the agent's process has ended, such as `superviseAgent` of
 * `@acp-kit/stdio/node`. The client calls `open` for each connection, and `close` once, when the application closes the
 * client.
 */
export interface AgentSource {
  open(): PromiseLike<Transport>;
  close(): PromiseLike<void>;
}

/** A connection over which the agent has responded to `initialize`. */
export interface Initialized {
  readonly peer: ClientPeer;
  /** The requests of the agent that wait for the user. */
  readonly requests: OpenRequests;
  readonly response: IncomingInitializeResponse;
  /** The version of the connection if it is not version 1. */
  readonly version: VersionConnection | undefined;
}

/** Options of an {@link AgentLink}. */
export interface AgentLinkOptions {
  readonly source: AgentSource;
  /** Whether the source can be opened again. */
  readonly restarts: boolean;
  /**
   * Creates a connection over a transport, registers its handlers and initializes it. Closes the transport if that
   * fails.
   */
  readonly initialize: (transport: Transport) => Promise<Initialized>;
}

/**
 * The states of a link. The state `open` doesn't show whether the agent still runs; the connection shows that.
 *
 * - `new`: no connection was opened yet.
 * - `opening`: the link opens its {@link AgentSource}, then sends `initialize`. `before` is the previous connection,
 *   which has ended, or `undefined` for the first connection.
 * - `open`: a connection was opened; it may have ended since.
 * - `closed`: no other connection will be opened; `last` is the last connection.
 */
type LinkState =
  | { readonly is: "new" }
  | { readonly is: "opening"; readonly before: Initialized | undefined; readonly done: Promise<void> }
  | { readonly is: "open"; readonly connection: Initialized }
  | { readonly is: "closed"; readonly last: Initialized | undefined; readonly done: Promise<void> };

/**
 * Holds the current connection to the agent. If the connection has ended and the source can be opened again, the next
 * call of the application opens a new connection. Messages of the previous connection are not sent again.
 */
export class AgentLink {
  /** Resolves with the reason when the link will open no further connection. Never rejects. */
  readonly closed: Promise<ConnectionError>;
  readonly #options: AgentLinkOptions;
  readonly #resolveClosed: (reason: ConnectionError) => void;
  #state: LinkState = { is: "new" };
  #generation = 0;

  constructor(options: AgentLinkOptions) {
    this.#options = options;
    let resolveClosed: (reason: ConnectionError) => void = () => {};
    this.closed = new Promise((resolve) => {
      resolveClosed = resolve;
    });
    this.#resolveClosed = resolveClosed;
  }

  /** The latest connection, even if it has ended. */
  get current(): Initialized {
    const connection = this.#connection;
    if (connection === undefined) throw new TypeError("The agent is not connected yet");
    return connection;
  }

  /** The number of connections so far. A session that was opened over an earlier connection has to be opened again. */
  get generation(): number {
    return this.#generation;
  }

  /** The state that `AgentConnection.state` returns. */
  get state(): "initialized" | "disconnected" | "closed" {
    if (this.#state.is === "closed") return "closed";
    if (this.#connection?.peer.connection.state === "open") return "initialized";
    return this.#options.restarts ? "disconnected" : "closed";
  }

  /**
   * Opens a new connection if the current one has ended and the source can be opened again; otherwise returns
   * `undefined`.
   */
  ready(): Promise<void> | undefined {
    return this.state === "disconnected" ? this.connect() : undefined;
  }

  /** Opens the source and initializes the agent. Concurrent calls share one connection. */
  connect(): Promise<void> {
    if (this.#state.is === "opening") return this.#state.done;
    const before = this.#connection;
    const done = this.#open().then(
      (connection) => this.#opened(connection),
      (error: unknown) => {
        if (this.#state.is === "opening") this.#state = before ? { is: "open", connection: before } : { is: "new" };
        throw error;
      },
    );
    if (this.#state.is !== "closed") this.#state = { is: "opening", before, done };
    return done;
  }

  /** Ends the current connection and opens a new one. Does nothing if the source can't be opened again. */
  async restart(): Promise<void> {
    if (!this.#options.restarts || this.#state.is === "closed") return;
    await this.#connection?.peer.connection.close();
    await this.ready();
  }

  /** Ends the connection and the source. Idempotent; never rejects. */
  close(reason?: unknown): Promise<void> {
    if (this.#state.is === "closed") return this.#state.done;
    const last = this.#connection;
    const done = this.#close(last, reason);
    this.#state = { is: "closed", last, done };
    return done;
  }

  get #connection(): Initialized | undefined {
    const state = this.#state;
    if (state.is === "open") return state.connection;
    if (state.is === "opening") return state.before;
    return state.is === "closed" ? state.last : undefined;
  }

  async #open(): Promise<Initialized> {
    const { source, initialize } = this.#options;
    return initialize(await source.open());
  }

  async #opened(connection: Initialized): Promise<void> {
    if (this.#state.is === "closed") {
      await connection.peer.connection.close(); // the link was closed while the connection was being opened
      return;
    }
    this.#state = { is: "open", connection };
    this.#generation += 1;
    if (!this.#options.restarts) void connection.peer.connection.closed.then(this.#resolveClosed);
  }

  async #close(last: Initialized | undefined, reason: unknown): Promise<void> {
    const connection = last?.peer.connection;
    await connection?.close({ reason });
    try {
      await this.#options.source.close();
    } catch {
      // the source belongs to the application, and its error must not keep the link from closing
    }
    this.#resolveClosed(
      (await connection?.closed) ?? new ConnectionError("closed", "the connection was closed", { cause: reason }),
    );
  }
}
