import type { GatewayClock } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import type { Scope, SessionKey } from "../engine/session-record.js";
import { scopeName } from "../principal.js";
import type { Presence } from "../session/command.js";
import { CallOutcomes } from "./call-outcomes.js";

/** A session that a client is attached to. */
export interface AttachedSession {
  readonly key: SessionKey;
  readonly presence: Presence;
}

/** The connection that a client has now. */
export interface CurrentConnection {
  /** The client has another one: this one ends, without the client leaving its sessions. */
  replaced(): void;
}

/**
 * A client that may continue on another connection:
 *
 * - `present`: it has a connection.
 * - `away`: its connection broke; it stays attached to its sessions until the grace time is over.
 * - `gone`: it has left.
 */
type Whereabouts =
  | { readonly is: "present"; readonly connection: CurrentConnection }
  | { readonly is: "away"; readonly sessions: readonly AttachedSession[]; readonly stopWaiting: () => void }
  | { readonly is: "gone" };

/** One client, on whichever connections. */
export class KnownClient {
  /** Names it among the clients of a session. */
  readonly id: string;
  /** Its requests, for those that it sends again. */
  readonly calls: CallOutcomes = new CallOutcomes();
  whereabouts: Whereabouts = { is: "gone" };

  constructor(id: string) {
    this.id = id;
  }
}

/** The clients that may come back on another connection, of all principals. Every look-up takes the scope. */
export class KnownClients {
  readonly #replica: Replica;
  readonly #clock: GatewayClock;
  readonly #graceMs: number;
  readonly #maxAway: number;
  readonly #clients = new Map<string, KnownClient>();
  /** The clients of each principal that are away, longest first. */
  readonly #away = new Map<string, Set<KnownClient>>();

  /**
   * @param graceMs how long a client may be away.
   * @param maxAway how many clients of one principal may be away. Beyond, the one that has been away longest leaves.
   */
  constructor(replica: Replica, clock: GatewayClock, graceMs: number, maxAway: number) {
    this.#replica = replica;
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#maxAway = maxAway;
  }

  /** The client of a connection: a new one, or, on another replica, one that was never here. Its previous connection ends. */
  arrive(scope: Scope, id: string, connection: CurrentConnection): KnownClient {
    const name = nameOf(scope, id);
    const client = this.#clients.get(name) ?? new KnownClient(id);
    this.#clients.set(name, client);
    const before = client.whereabouts;
    client.whereabouts = { is: "present", connection };
    if (before.is === "away") this.#back(scope, client, before.stopWaiting);
    if (before.is === "present") before.connection.replaced();
    return client;
  }

  /** The connection of a client broke. It stays attached for the grace time, and then leaves. */
  away(scope: Scope, client: KnownClient, connection: CurrentConnection, sessions: readonly AttachedSession[]): void {
    if (client.whereabouts.is !== "present" || client.whereabouts.connection !== connection) return;
    const stopWaiting = this.#clock.after(this.#graceMs, () => this.#leave(scope, client));
    client.whereabouts = { is: "away", sessions, stopWaiting };
    const away = this.#away.get(scopeName(scope)) ?? new Set();
    this.#away.set(scopeName(scope), away.add(client));
    const [longest] = away;
    if (longest !== undefined && away.size > this.#maxAway) this.#leave(scope, longest);
  }

  /** The client closed its connection in order. */
  left(scope: Scope, client: KnownClient, connection: CurrentConnection): void {
    if (client.whereabouts.is === "present" && client.whereabouts.connection !== connection) return;
    client.whereabouts = { is: "gone" };
    this.#clients.delete(nameOf(scope, client.id));
  }

  /** Keeps clients attached that are away; called from time to time. */
  tend(): void {
    for (const { id, whereabouts } of this.#clients.values()) {
      if (whereabouts.is !== "away") continue;
      for (const { key, presence } of whereabouts.sessions)
        this.#replica.mention(key, { is: "attend", client: id, presence });
    }
  }

  close(): void {
    for (const { whereabouts } of this.#clients.values()) if (whereabouts.is === "away") whereabouts.stopWaiting();
    this.#clients.clear();
    this.#away.clear();
  }

  /** A client is not away any more. */
  #back(scope: Scope, client: KnownClient, stopWaiting: () => void): void {
    stopWaiting();
    const away = this.#away.get(scopeName(scope));
    away?.delete(client);
    if (away?.size === 0) this.#away.delete(scopeName(scope));
  }

  #leave(scope: Scope, client: KnownClient): void {
    const { id, whereabouts } = client;
    if (whereabouts.is !== "away") return;
    this.#back(scope, client, whereabouts.stopWaiting);
    client.whereabouts = { is: "gone" };
    this.#clients.delete(nameOf(scope, id));
    for (const { key } of whereabouts.sessions) this.#replica.mention(key, { is: "leave", client: id });
  }
}

function nameOf(scope: Scope, id: string): string {
  return JSON.stringify([scopeName(scope), id]);
}
