import type { GatewayClock } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import type { Scope, SessionKey } from "../engine/session-record.js";
import { scopeName } from "../principal.js";
import type { ClientAbilities } from "../session/command.js";
import { CallOutcomes } from "./call-outcomes.js";

/** A session that a client is attached to. */
export interface AttachedSession {
  readonly key: SessionKey;
  readonly abilities: ClientAbilities;
}

/** The current connection of a client. */
export interface CurrentConnection {
  /** Ends this connection, because the client has a newer connection. The client stays attached to its sessions. */
  replaced(): void;
}

/**
 * The state of a client that may continue on another connection:
 *
 * - `present`: the client has a connection.
 * - `away`: the connection broke. The client stays attached to its sessions until the grace time is over.
 * - `gone`: the client has left.
 */
type Whereabouts =
  | { readonly is: "present"; readonly connection: CurrentConnection }
  | { readonly is: "away"; readonly sessions: readonly AttachedSession[]; readonly stopWaiting: () => void }
  | { readonly is: "gone" };

/** A client that continues on another connection after its connection was lost. */
export class KnownClient {
  /** The id of the client, unique among the clients of a session. */
  readonly id: string;
  /** The outcomes of the client's requests. A repeated request gets the stored outcome. */
  readonly calls: CallOutcomes = new CallOutcomes();
  whereabouts: Whereabouts = { is: "gone" };

  constructor(id: string) {
    this.id = id;
  }
}

/**
 * The clients, of all principals, that may continue on another connection. Every look-up requires the scope (the tenant
 * and the user).
 */
export class KnownClients {
  readonly #replica: Replica;
  readonly #clock: GatewayClock;
  readonly #graceMs: number;
  readonly #maxAway: number;
  readonly #clients = new Map<string, KnownClient>();
  /** For each principal, the clients that are away. The client that has been away longest comes first. */
  readonly #away = new Map<string, Set<KnownClient>>();

  /**
   * @param graceMs how long a client may be away.
   * @param maxAway how many clients of one principal may be away. If there are more, the client that has been away longest leaves.
   */
  constructor(replica: Replica, clock: GatewayClock, graceMs: number, maxAway: number) {
    this.#replica = replica;
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#maxAway = maxAway;
  }

  /** Finds the client of a connection, and ends its previous connection. Adds an unknown client: it may have been connected to another replica before. */
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

  /** Records that the connection of a client broke. The client stays attached for the grace time, then leaves. */
  away(scope: Scope, client: KnownClient, connection: CurrentConnection, sessions: readonly AttachedSession[]): void {
    if (client.whereabouts.is !== "present" || client.whereabouts.connection !== connection) return;
    const stopWaiting = this.#clock.after(this.#graceMs, () => this.#leave(scope, client));
    client.whereabouts = { is: "away", sessions, stopWaiting };
    const away = this.#away.get(scopeName(scope)) ?? new Set();
    this.#away.set(scopeName(scope), away.add(client));
    const [longest] = away;
    if (longest !== undefined && away.size > this.#maxAway) this.#leave(scope, longest);
  }

  /** Records that a client has closed its connection in order. */
  left(scope: Scope, client: KnownClient, connection: CurrentConnection): void {
    if (client.whereabouts.is === "present" && client.whereabouts.connection !== connection) return;
    client.whereabouts = { is: "gone" };
    this.#clients.delete(nameOf(scope, client.id));
  }

  /** Ensures that clients without a connection stay attached to their sessions. The gateway calls this method at intervals. */
  tend(): void {
    for (const { id, whereabouts } of this.#clients.values()) {
      if (whereabouts.is !== "away") continue;
      for (const { key, abilities } of whereabouts.sessions)
        this.#replica.mention(key, { is: "attach", client: id, abilities });
    }
  }

  close(): void {
    for (const { whereabouts } of this.#clients.values()) if (whereabouts.is === "away") whereabouts.stopWaiting();
    this.#clients.clear();
    this.#away.clear();
  }

  /** Records that a client is no longer away. */
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
