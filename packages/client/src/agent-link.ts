import { ConnectionError, type Transport } from "@acp-kit/protocol";
import type { IncomingInitializeResponse } from "@acp-kit/types";
import type { AgentRequests } from "./agent-requests.js";
import type { ClientPeer } from "./client-peer.js";

/**
 * Where an agent can be had again after it has died: `superviseAgent` of `@acp-kit/stdio/node` is one. `open` is called for each
 * connection, `close` once, at the end.
 */
export interface AgentSource {
  open(): PromiseLike<Transport>;
  close(): PromiseLike<void>;
}

/** A connection that has been initialized. */
export interface Initialized {
  readonly peer: ClientPeer;
  /** What the agent asks over it. */
  readonly requests: AgentRequests;
  readonly response: IncomingInitializeResponse;
}

/** What {@link AgentLink} connects with. */
export interface AgentLinkOptions {
  readonly source: AgentSource;
  /** The source can be opened again. */
  readonly restarts: boolean;
  /** Makes a connection of a transport, its handlers registered, and initializes it. Closes the transport when that fails. */
  readonly initialize: (transport: Transport) => Promise<Initialized>;
}

/**
 * The connection of the moment. When it has died and the source can be opened again, whoever needs it next gets a new
 * one; nothing that was sent before is sent again.
 */
export class AgentLink {
  /** Resolves with the reason when there will be no connection any more; never rejects. */
  readonly closed: Promise<ConnectionError>;
  readonly #options: AgentLinkOptions;
  #current: Initialized | undefined;
  #connecting: Promise<void> | undefined;
  #generation = 0;
  #closing: Promise<void> | undefined;
  #resolveClosed: (reason: ConnectionError) => void = () => {};

  constructor(options: AgentLinkOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** The connection of the moment, be it alive or dead. */
  get current(): Initialized {
    if (this.#current === undefined) throw new TypeError("The agent is not connected yet");
    return this.#current;
  }

  /** How many connections there have been: what was opened over an earlier one has to be opened again. */
  get generation(): number {
    return this.#generation;
  }

  /** `closed`: for good. */
  get state(): "initialized" | "disconnected" | "closed" {
    if (this.#closing !== undefined) return "closed";
    if (this.#current?.peer.connection.state === "open") return "initialized";
    return this.#options.restarts ? "disconnected" : "closed";
  }

  /** Nothing when there is a living connection, or never will be one again; otherwise a promise of a new one. */
  ready(): Promise<void> | undefined {
    return this.state === "disconnected" ? this.connect() : undefined;
  }

  /** Opens the source and initializes. Everybody who asks meanwhile gets the same connection. */
  connect(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Ends the connection of the moment for a new one, where the source can be opened again; else nothing happens. */
  async restart(): Promise<void> {
    if (!this.#options.restarts || this.#closing !== undefined) return;
    await this.#current?.peer.connection.close();
    await this.ready();
  }

  /** Ends the connection and the source. Idempotent; never rejects. */
  close(reason?: unknown): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #connect(): Promise<void> {
    const { source, restarts, initialize } = this.#options;
    const initialized = await initialize(await source.open());
    this.#current = initialized;
    this.#generation += 1;
    const { connection } = initialized.peer;
    if (this.#closing !== undefined) await connection.close();
    else if (!restarts) void connection.closed.then(this.#resolveClosed);
  }

  async #close(reason: unknown): Promise<void> {
    const connection = this.#current?.peer.connection;
    await connection?.close({ reason });
    await Promise.resolve(this.#options.source.close()).catch(() => {});
    this.#resolveClosed(
      (await connection?.closed) ?? new ConnectionError("closed", "the connection was closed", { cause: reason }),
    );
  }
}
