import type { GatewayClock } from "../clock.js";
import type { Presence } from "./command.js";

interface Attending {
  readonly presence: Presence;
  seen: number;
}

/**
 * The clients that are attached to a session, as known by the owner of the session. Attached clients report to the
 * owner repeatedly, so that the owner forgets the clients of a killed replica.
 */
export class Attendance {
  readonly #clock: GatewayClock;
  readonly #lastsMs: number;
  readonly #clients = new Map<string, Attending>();

  /** @param lastsMs how long a client counts after its last report. */
  constructor(clock: GatewayClock, lastsMs: number) {
    this.#clock = clock;
    this.#lastsMs = lastsMs;
  }

  attend(client: string, presence: Presence): void {
    this.#clients.set(client, { presence, seen: this.#clock.now() }); // a known client keeps its place in the order
  }

  leave(client: string): boolean {
    return this.#clients.delete(client);
  }

  /** Forgets and returns the clients whose last report is too old. */
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

  /** The clients that may respond to requests of the agent. */
  get interactive(): string[] {
    return [...this.#clients].filter(([, { presence }]) => presence.isInteractive).map(([client]) => client);
  }

  /** Whether this client is attached and serves a method. */
  serves(client: string, method: string): boolean {
    return this.#clients.get(client)?.presence.serves.includes(method) ?? false;
  }

  /** Of the clients that serve a method, the one that is attached longest. */
  server(method: string): string | undefined {
    for (const [client, { presence }] of this.#clients)
      if (presence.isInteractive && presence.serves.includes(method)) return client;
    return undefined;
  }
}
