import type { GatewayClock } from "../clock.js";
import type { ClientAbilities } from "./command.js";

interface AttachedClient {
  readonly abilities: ClientAbilities;
  seen: number;
}

/**
 * The clients that are attached to a session. The owner of the session has this list. The replicas of attached clients report to the
 * owner repeatedly. If the reports about a client end, its replica was killed, and the owner removes the client.
 */
export class AttachedClients {
  readonly #clock: GatewayClock;
  readonly #lastsMs: number;
  readonly #clients = new Map<string, AttachedClient>();

  /** @param lastsMs how long a client counts as attached after the last report about it. */
  constructor(clock: GatewayClock, lastsMs: number) {
    this.#clock = clock;
    this.#lastsMs = lastsMs;
  }

  add(client: string, abilities: ClientAbilities): void {
    this.#clients.set(client, { abilities, seen: this.#clock.now() }); // a known client keeps its place in the order
  }

  remove(client: string): boolean {
    return this.#clients.delete(client);
  }

  /** Removes and returns the clients whose last report is too old. */
  expire(): string[] {
    const oldest = this.#clock.now() - this.#lastsMs;
    const gone = [...this.#clients].filter(([, { seen }]) => seen < oldest).map(([client]) => client);
    for (const client of gone) this.#clients.delete(client);
    return gone;
  }

  has(client: string): boolean {
    return this.#clients.has(client);
  }

  /** The attached clients that may respond to requests of the agent. */
  get interactive(): string[] {
    return [...this.#clients].filter(([, { abilities }]) => abilities.isInteractive).map(([client]) => client);
  }

  /** Returns whether this client is attached and serves a method. */
  serves(client: string, method: string): boolean {
    return this.#clients.get(client)?.abilities.serves.includes(method) ?? false;
  }

  /** Returns the interactive client that has been attached longest among those that serve a method. */
  server(method: string): string | undefined {
    for (const [client, { abilities }] of this.#clients)
      if (abilities.isInteractive && abilities.serves.includes(method)) return client;
    return undefined;
  }
}
