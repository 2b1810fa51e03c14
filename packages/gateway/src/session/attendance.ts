import type { GatewayClock } from "../clock.js";
import type { Presence } from "./command.js";

interface Attending {
  readonly presence: Presence;
  seen: number;
}

/**
 * The clients that are attached to a session, as far as its owner knows: they attend again and again, so that those of a
 * replica that was killed are forgotten.
 */
export class Attendance {
  readonly #clock: GatewayClock;
  readonly #lastsMs: number;
  readonly #clients = new Map<string, Attending>();

  /** @param lastsMs how long a client counts without attending again. */
  constructor(clock: GatewayClock, lastsMs: number) {
    this.#clock = clock;
    this.#lastsMs = lastsMs;
  }

  attend(client: string, presence: Presence): void {
    this.#clients.set(client, { presence, seen: this.#clock.now() }); // one that is known keeps its place
  }

  leave(client: string): boolean {
    return this.#clients.delete(client);
  }

  /** Forgets clients that did not attend for too long, and returns them. */
  expire(): string[] {
    const oldest = this.#clock.now() - this.#lastsMs;
    const gone = [...this.#clients].filter(([, { seen }]) => seen < oldest).map(([client]) => client);
    for (const client of gone) this.#clients.delete(client);
    return gone;
  }

  get isEmpty(): boolean {
    return this.#clients.size === 0;
  }

  has(client: string): boolean {
    return this.#clients.has(client);
  }

  /** Clients that may respond to requests of the agent. */
  get interactive(): string[] {
    return [...this.#clients].filter(([, { presence }]) => presence.isInteractive).map(([client]) => client);
  }

  /** Whether this client is attached and serves a method. */
  serves(client: string, method: string): boolean {
    return this.#clients.get(client)?.presence.serves.includes(method) ?? false;
  }

  /** The client that has been attached for longest of those that serve a method. */
  server(method: string): string | undefined {
    for (const [client, { presence }] of this.#clients)
      if (presence.isInteractive && presence.serves.includes(method)) return client;
    return undefined;
  }
}
