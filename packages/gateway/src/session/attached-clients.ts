import type { GatewayClock } from "../clock.js";
import type { AllGatewayTimes } from "../limits.js";
import type { ClientAbilities, Command, ServersOfClient } from "./command.js";

/** A report that a client is attached. */
interface Report {
  readonly abilities: ClientAbilities;
  readonly servers: ServersOfClient | undefined;
  readonly at: number;
}

/** The maximum number of clients of a session. Further clients don't count as attached. */
const MAX_CLIENTS = 10_000;

/** The maximum number of connections of a client. If it is exceeded, the first one is removed. */
const MAX_CONNECTIONS = 8;

/**
 * The clients that are attached to a session. The owner of the session has this list. The replicas of attached clients
 * report to the owner repeatedly. If the reports about a client end, its connection broke or its replica was killed. If
 * the client does not continue on another connection in time, the owner removes it.
 *
 * A client that has moved to another connection is attached on both, until it leaves the later connection, or the
 * reports about the earlier one are too old.
 */
export class AttachedClients {
  readonly #clock: GatewayClock;
  readonly #times: Pick<AllGatewayTimes, "watchMs" | "reconnectTimeoutMs">;
  /** For each client, the last report about each of its connections. The newest connection comes last. */
  readonly #clients = new Map<string, Map<string, Report>>();

  constructor(clock: GatewayClock, times: Pick<AllGatewayTimes, "watchMs" | "reconnectTimeoutMs">) {
    this.#clock = clock;
    this.#times = times;
  }

  add({ client, connection, abilities, servers }: Omit<Extract<Command, { is: "attach" }>, "is">): void {
    const known = this.#clients.get(client);
    if (known === undefined && this.#clients.size >= MAX_CLIENTS) return;
    const connections = known ?? new Map<string, Report>();
    // A known connection keeps its place in the order
    connections.set(connection, { abilities, servers, at: this.#clock.now() });
    this.#clients.set(client, connections); // so does a known client
    const [first = ""] = connections.keys();
    if (connections.size > MAX_CONNECTIONS) connections.delete(first);
  }

  remove(client: string): boolean {
    return this.#clients.delete(client);
  }

  /**
   * Removes a connection of a client, and the earlier ones, which broke. The client is removed with its last
   * connection. Returns whether it was removed.
   */
  leave(client: string, connection: string): boolean {
    const connections = this.#clients.get(client);
    if (!connections?.has(connection)) return false;
    for (const earlier of connections.keys()) {
      connections.delete(earlier);
      if (earlier === connection) break;
    }
    return connections.size === 0 && this.remove(client);
  }

  /** Removes and returns the clients whose last report is too old. */
  expire(): string[] {
    const now = this.#clock.now();
    const { watchMs, reconnectTimeoutMs } = this.#times;
    const reportMs = watchMs * 3;
    const returnMs = Math.max(reportMs, watchMs + reconnectTimeoutMs);
    const gone: string[] = [];
    for (const [client, connections] of this.#clients) {
      for (const [connection, { at, abilities }] of connections)
        if (now - at > (abilities.mayReturn ? returnMs : reportMs)) connections.delete(connection);
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

  /** Returns the replica, other than `own`, of the latest connection that serves an MCP server. */
  replicaOf(serverId: string, own: string): string | undefined {
    const reports = [...this.#clients.values()].flatMap((connections) => [...connections.values()]);
    const servers = reports.flatMap((report) => report.servers ?? []);
    return servers.findLast(({ ids, replica }) => replica !== own && ids.includes(serverId))?.replica;
  }

  #abilities(client: string): ClientAbilities | undefined {
    return [...(this.#clients.get(client)?.values() ?? [])].at(-1)?.abilities;
  }
}
