import { RpcError } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject, shorten } from "@acp-kit/jsonrpc/internal";
import { BothEras } from "./eras.js";
import { bindingErrors } from "./served-server.js";
import type { SessionServers } from "./session-servers.js";

/** The number of connections of one agent. */
const MAX_CONNECTIONS = 1_024;

/** What the connections of an agent need. */
export interface AgentConnectionsParts {
  readonly servers: SessionServers;
  readonly respond: (id: unknown, outcome: JsonObject) => void;
  /** Sends a notification to the agent. */
  readonly notify: (method: string, params: JsonObject) => void;
}

interface OpenConnection {
  readonly serverId: string;
  /** The running requests, by the agent's ids. */
  readonly running: Map<unknown, AbortController>;
}

/**
 * The connections of an agent to servers in the earlier form of MCP over ACP, which the Rust SDK has: `mcp/connect`
 * opens a connection, whose messages `mcp/message` carries without ids of their own, and `mcp/disconnect` ends it.
 */
export class AgentConnections {
  readonly #parts: AgentConnectionsParts;
  readonly #open = new Map<string, OpenConnection>();
  /** By the id of the server: the keys of its calls must be unique among all its connections. */
  readonly #eras = new Map<string, BothEras>();

  constructor(parts: AgentConnectionsParts) {
    this.#parts = parts;
  }

  has(connectionId: unknown): boolean {
    return this.#open.has(String(connectionId));
  }

  /** Handles a request or notification of this form. */
  receive({ id, method, params }: JsonObject): void {
    const values = isJsonObject(params) ? params : {};
    const { connectionId, serverId, acpId } = values;
    if (method === "mcp/message") this.#message(id, String(connectionId), values);
    else if (method === "mcp/disconnect") this.#answer(id, () => this.#disconnect(String(connectionId)));
    else this.#answer(id, () => ({ connectionId: this.#connect(String(serverId ?? acpId)) }));
  }

  /** Cancels a running request. Returns whether there is one. */
  cancel(id: unknown): boolean {
    const connection = [...this.#open.values()].find(({ running }) => running.has(id));
    connection?.running.get(id)?.abort(new Error("The agent cancelled the call"));
    return connection !== undefined;
  }

  /** Aborts all requests. */
  abort(reason: unknown): void {
    for (const connectionId of [...this.#open.keys()]) this.#end(connectionId, reason);
  }

  #connect(serverId: string): string {
    const { servers } = this.#parts;
    for (const [connectionId, open] of this.#open)
      if (servers.get(open.serverId) === undefined) this.#end(connectionId, new Error("The session has ended"));
    const server = servers.get(serverId);
    if (server === undefined) throw unavailable(`No MCP server ${shorten(serverId)} is declared on this connection`);
    if (this.#open.size >= MAX_CONNECTIONS)
      throw new RpcError(
        bindingErrors.tooManyCalls,
        `More than ${MAX_CONNECTIONS} connections to MCP servers are open`,
      );
    const connectionId = `mcp-${globalThis.crypto.randomUUID()}`;
    this.#open.set(connectionId, { serverId, running: new Map() });
    if (!this.#eras.has(serverId)) this.#eras.set(serverId, new BothEras(server));
    return connectionId;
  }

  #disconnect(connectionId: string): object {
    if (!this.#open.has(connectionId)) throw notConnected();
    this.#end(connectionId, new Error("The agent has disconnected from the MCP server"));
    return {};
  }

  #end(connectionId: string, reason: unknown): void {
    const connection = this.#open.get(connectionId);
    this.#open.delete(connectionId);
    for (const request of connection?.running.values() ?? []) request.abort(reason);
    if (![...this.#open.values()].some(({ serverId }) => serverId === connection?.serverId))
      this.#eras.delete(connection?.serverId ?? "");
  }

  #message(id: unknown, connectionId: string, { method, params }: JsonObject): void {
    const connection = this.#open.get(connectionId);
    const eras = this.#eras.get(connection?.serverId ?? "");
    const isRunning = id !== undefined && connection?.running.has(id) === true;
    if (connection === undefined || eras === undefined || isRunning) {
      const repeated = new RpcError(bindingErrors.invalidParams, "A request with this id is running");
      this.#answer(id, () => {
        throw isRunning ? repeated : notConnected();
      });
      return;
    }
    const { running } = connection;
    const request = new AbortController();
    if (id !== undefined) running.set(id, request);
    const message = { jsonrpc: "2.0", ...(id !== undefined && { id }), method, ...(params != null && { params }) };
    const notify = (sent: JsonObject): void =>
      this.#parts.notify("mcp/message", { connectionId, method: sent.method, params: sent.params });
    void eras.handle(message, notify, request.signal).then((response) => {
      if (running.get(id) === request) running.delete(id);
      if (id === undefined || response === undefined) return;
      const { result, error } = response;
      this.#parts.respond(id, error === undefined ? { result } : { error });
    });
  }

  #answer(id: unknown, result: () => object): void {
    if (id === undefined) return;
    try {
      this.#parts.respond(id, { result: result() });
    } catch (error) {
      this.#parts.respond(id, { error: (error as RpcError).toJSON() });
    }
  }
}

function notConnected(): RpcError {
  return unavailable("There is no such connection to an MCP server");
}

function unavailable(message: string): RpcError {
  return new RpcError(bindingErrors.unavailable, message);
}
