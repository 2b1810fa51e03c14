import type { GatewayClock } from "../clock.js";
import type { ClientAbilities } from "./command.js";

/** A report that a client is attached. */
interface Report {
  readonly abilities: ClientAbilities;
  readonly at: number;
}

/**
 * The clients that are attached to a session. The owner of the session has this list. The replicas of attached clients
 * report to the owner repeatedly. If the reports about a client end, its replica was killed, and the owner removes the
 * client.
 *
 * A client that has moved to another connection is attached on both, until its previous replica reports that it has
 * left, or stops to report it.
 */
export class AttachedClients {
  readonly #clock: GatewayClock;
  readonly #lastsMs: number;
  /** For each client, the last report about each of its connections. The newest connection comes last. */
  readonly #clients = new Map<string, Map<string, Report>>();

  /** @param lastsMs how long a client counts as attached after the last report about it. */
  constructor(clock: GatewayClock, lastsMs: number) {
    this.#clock = clock;
    this.#lastsMs = lastsMs;
  }

  add(client: string, abilities: ClientAbilities, connection: string): void {
    const connections = this.#clients.get(client) ?? new Map<string, Report>();
    // A known connection keeps its place in the order
    connections.set(connection, { abilities, at: this.#clock.now() });
    this.#clients.set(client, connections); // so does a known client
  }

  remove(client: string): boolean {
    return this.#clients.delete(client);
  }

  /**
   * Removes a connection of a client. The client is removed with its last connection. Returns whether it was removed.
   */
  leave(client: string, connection: string): boolean {
    const connections = this.#clients.get(client);
    connections?.delete(connection);
    return connections?.size === 0 && this.remove(client);
  }

  /** Removes and returns the clients whose last report is too old. */
  expire(): string[] {
    const oldest = this.#clock.now() - this.#lastsMs;
    const gone: string[] = [];
    for (const [client, connections] of this.#clients) {
      for (const [connection, { at }] of connections) if (at < oldest) connections.delete(connection);
      if (connections.size > 0) continue;
      this.#clients.delete(client);
      gone.push(client);
    }
    return gone;
  }

  has(client: string): boolean {
    return this.#clients.has(client);
  }

  /** The attached clients that may respond to requests of the agent. */
  get interactive(): string[] {
    return [...this.#clients.keys()].filter((client) => this.#abilities(client)?.isInteractive === true);
  }

  /** Returns whether this client is attached and serves a method. */
  serves(client: string, method: string): boolean {
    return this.#abilities(client)?.serves.includes(method) ?? false;
  }

  /** Returns the interactive client that has been attached longest among those that serve a method. */
  server(method: string): string | undefined {
    return this.interactive.find((client) => this.serves(client, method));
  }

  /** Returns the abilities of a client on its newest connection. */
  #abilities(client: string): ClientAbilities | undefined {
    return [...(this.#clients.get(client)?.values() ?? [])].at(-1)?.abilities;
  }
}
