import { shareOf } from "@acp-kit/jsonrpc/internal";
import type { GatewayClock } from "../clock.js";
import { type GatewayPrincipal, principalName } from "../principal.js";
import { CallOutcomes } from "./call-outcomes.js";

/** The current connection of a client. */
export interface CurrentConnection {
  /** Ends this connection, because the client has a newer connection. */
  replaced(): void;
}

/** A client that may continue on another connection after its connection was lost. */
export class KnownClient {
  /** The id of the client, unique among the clients of a session. */
  readonly id: string;
  /** The outcomes of the client's requests. A repeated request gets the stored outcome. */
  readonly calls: CallOutcomes = new CallOutcomes();
  /** `undefined` if the connection broke. */
  connection: CurrentConnection | undefined;
  brokeAt = 0;

  constructor(id: string) {
    this.id = id;
  }
}

/** The clients of one principal. */
interface ClientsOfPrincipal {
  readonly present: Map<string, KnownClient>;
  /** The clients whose connection broke. The one whose connection broke first comes first. */
  readonly away: Map<string, KnownClient>;
}

/**
 * The clients, of all principals, that may continue on another connection. Every look-up requires the principal, so
 * that an observer never continues as a client with full access, and never displaces one.
 */
export class KnownClients {
  readonly #clock: GatewayClock;
  readonly #graceMs: number;
  readonly #maxAway: number;
  readonly #principals = new Map<string, ClientsOfPrincipal>();

  /**
   * @param graceMs how long a client is known after its connection broke.
   * @param maxAway how many such clients one principal may have. If there are more, the first one is forgotten.
   */
  constructor(clock: GatewayClock, graceMs: number, maxAway: number) {
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#maxAway = maxAway;
  }

  /**
   * Finds the client of a connection, and ends its previous connection. Adds an unknown client: it may have been
   * connected to another replica before.
   */
  arrive(principal: GatewayPrincipal, id: string, connection: CurrentConnection): KnownClient {
    const { present, away } = this.#of(principal);
    const client = present.get(id) ?? away.get(id) ?? new KnownClient(id);
    away.delete(id);
    present.set(id, client);
    const before = client.connection;
    client.connection = connection;
    before?.replaced();
    return client;
  }

  /** Records that the connection of a client broke. */
  broke(principal: GatewayPrincipal, client: KnownClient, connection: CurrentConnection): void {
    if (client.connection !== connection) return;
    client.connection = undefined;
    client.brokeAt = this.#clock.now();
    const { present, away } = this.#of(principal);
    present.delete(client.id);
    away.set(client.id, client);
    const [longest = ""] = away.keys();
    if (away.size > shareOf(principal.access, this.#maxAway)) away.delete(longest);
  }

  /** Records that a client has closed its connection in order. */
  left(principal: GatewayPrincipal, client: KnownClient, connection: CurrentConnection): void {
    if (client.connection === connection) this.#of(principal).present.delete(client.id);
  }

  /** Forgets the clients whose connection broke too long ago. The gateway calls this method at intervals. */
  expire(): void {
    const latest = this.#clock.now() - this.#graceMs;
    for (const [name, { present, away }] of this.#principals) {
      for (const { id, brokeAt } of away.values()) if (brokeAt <= latest) away.delete(id);
      if (present.size === 0 && away.size === 0) this.#principals.delete(name);
    }
  }

  #of(principal: GatewayPrincipal): ClientsOfPrincipal {
    const name = principalName(principal);
    const known = this.#principals.get(name);
    if (known !== undefined) return known;
    const clients = { present: new Map(), away: new Map() };
    this.#principals.set(name, clients);
    return clients;
  }
}
