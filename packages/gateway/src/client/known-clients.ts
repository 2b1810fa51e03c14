import { shareOf } from "@acp-kit/jsonrpc/internal";
import type { GatewayClock } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import type { SessionKey } from "../engine/session-record.js";
import { type GatewayPrincipal, keyName, principalName } from "../principal.js";
import type { ClientAbilities } from "../session/command.js";
import { CallOutcomes } from "./call-outcomes.js";

/** A session that a client is attached to. */
export interface AttachedSession {
  readonly key: SessionKey;
  /** The id of the connection on which the client has opened the session. */
  readonly connection: string;
  readonly abilities: ClientAbilities;
}

/** The current connection of a client. */
export interface CurrentConnection {
  /**
   * Ends this connection, because the client has a newer connection. Returns the sessions to which the client stays
   * attached.
   */
  replaced(): readonly AttachedSession[];
}

/**
 * The state of a client that may continue on another connection:
 *
 * - `present`: the client has a connection.
 * - `away`: the connection broke. The client may connect again until the grace time is over.
 * - `gone`: the client has left.
 */
type Whereabouts =
  | { readonly is: "present"; readonly connection: CurrentConnection }
  | { readonly is: "away" }
  | { readonly is: "gone" };

/** A client that continues on another connection after its connection was lost. */
export class KnownClient {
  /** The id of the client, unique among the clients of a session. */
  readonly id: string;
  /** The outcomes of the client's requests. A repeated request gets the stored outcome. */
  readonly calls: CallOutcomes = new CallOutcomes();
  whereabouts: Whereabouts = { is: "gone" };
  /**
   * The sessions of earlier connections that the client has neither opened nor closed on its current connection. It
   * stays attached to them until the grace time is over. The key is that of {@link keyName}.
   */
  readonly unopened: Map<string, AttachedSession> = new Map();
  /** Stops the timer of the grace time. */
  stopWaiting: () => void = () => {};

  constructor(id: string) {
    this.id = id;
  }

  keep(sessions: readonly AttachedSession[]): void {
    for (const session of sessions) this.unopened.set(keyName(session.key), session);
  }
}

/**
 * The clients, of all principals, that may continue on another connection. Every look-up requires the principal, so
 * that an observer never continues as a client with full access, and never displaces one.
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
   * @param maxAway how many clients of one principal may be away. If there are more, the client that has been away
   * longest leaves.
   */
  constructor(replica: Replica, clock: GatewayClock, graceMs: number, maxAway: number) {
    this.#replica = replica;
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#maxAway = maxAway;
  }

  /**
   * Finds the client of a connection, and ends its previous connection. Adds an unknown client: it may have been
   * connected to another replica before.
   */
  arrive(principal: GatewayPrincipal, id: string, connection: CurrentConnection): KnownClient {
    const name = nameOf(principal, id);
    const client = this.#clients.get(name) ?? new KnownClient(id);
    this.#clients.set(name, client);
    const before = client.whereabouts;
    client.whereabouts = { is: "present", connection };
    if (before.is === "away") this.#back(principal, client);
    if (before.is === "present") client.keep(before.connection.replaced());
    client.stopWaiting();
    if (client.unopened.size > 0) this.#wait(principal, client);
    return client;
  }

  /** Records that the connection of a client broke. The client stays attached for the grace time, then leaves. */
  away(
    principal: GatewayPrincipal,
    client: KnownClient,
    connection: CurrentConnection,
    sessions: readonly AttachedSession[],
  ): void {
    if (client.whereabouts.is !== "present" || client.whereabouts.connection !== connection) return;
    client.whereabouts = { is: "away" };
    client.keep(sessions);
    this.#wait(principal, client);
    const away = this.#away.get(principalName(principal)) ?? new Set();
    this.#away.set(principalName(principal), away.add(client));
    const [longest] = away;
    if (longest !== undefined && away.size > shareOf(principal.access, this.#maxAway)) this.#leave(principal, longest);
  }

  /** Records that a client has opened or closed a session on its current connection. */
  settled(client: KnownClient, key: SessionKey): void {
    client.unopened.delete(keyName(key));
  }

  /** Records that a client has closed its connection in order. */
  left(principal: GatewayPrincipal, client: KnownClient, connection: CurrentConnection): void {
    if (client.whereabouts.is === "present" && client.whereabouts.connection !== connection) return;
    this.#leave(principal, client);
  }

  /**
   * Ensures that clients stay attached to the sessions that they may still open again. The gateway calls this method at
   * intervals.
   */
  tend(): void {
    for (const { id, unopened } of this.#clients.values())
      for (const { key, connection, abilities } of unopened.values())
        this.#replica.mention(key, { is: "attach", client: id, connection, abilities });
  }

  close(): void {
    for (const { stopWaiting } of this.#clients.values()) stopWaiting();
    this.#clients.clear();
    this.#away.clear();
  }

  /** Records that a client is no longer away. */
  #back(principal: GatewayPrincipal, client: KnownClient): void {
    const away = this.#away.get(principalName(principal));
    away?.delete(client);
    if (away?.size === 0) this.#away.delete(principalName(principal));
  }

  /**
   * Starts the grace time. At its end, the client leaves the sessions that it has not opened again. If it is still
   * away, it is removed.
   */
  #wait(principal: GatewayPrincipal, client: KnownClient): void {
    client.stopWaiting();
    client.stopWaiting = this.#clock.after(this.#graceMs, () => {
      if (client.whereabouts.is === "away") this.#leave(principal, client);
      else this.#leaveSessions(client);
    });
  }

  #leave(principal: GatewayPrincipal, client: KnownClient): void {
    if (client.whereabouts.is === "away") this.#back(principal, client);
    client.stopWaiting();
    client.whereabouts = { is: "gone" };
    this.#clients.delete(nameOf(principal, client.id));
    this.#leaveSessions(client);
  }

  #leaveSessions({ id, unopened }: KnownClient): void {
    for (const { key, connection } of unopened.values())
      this.#replica.mention(key, { is: "leave", client: id, connection });
    unopened.clear();
  }
}

function nameOf(principal: GatewayPrincipal, id: string): string {
  return JSON.stringify([principalName(principal), id]);
}
