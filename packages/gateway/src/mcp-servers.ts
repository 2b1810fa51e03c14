import { type Connection, isRpcError, RpcError } from "@acp-kit/jsonrpc";
import { type Holding, isJsonObject, type JsonObject, memoryOf, shorten } from "@acp-kit/jsonrpc/internal";
import type { Scope } from "./engine/session-record.js";
import { scopeName } from "./principal.js";

/** The method of a call of an MCP server, and of its notifications. */
export const MCP_MESSAGE = "mcp/message";

/** The number of calls of one server that run at the same time, as in the official SDK. */
const MAX_ACTIVE_CALLS = 64;

/** The number of servers that one client serves. Above it, the oldest is forgotten. */
const MAX_SERVERS_OF_CLIENT = 10_000;

/** The maximum length of a server's id, which stays in memory after its session. Calls of other servers are refused. */
const MAX_SERVER_ID_LENGTH = 1_024;

const errors = { invalidParams: -32_602, cancelled: -32_800, tooManyCalls: -33_000, unavailable: -33_001 } as const;

/** An agent's call of an MCP server. */
export interface McpCall {
  readonly params: unknown;
  readonly signal: AbortSignal;
  /** Sends a notification of the call to the agent, or to the replica of the agent. */
  readonly notify: (params: object) => void | Promise<void>;
  /**
   * Returns the function that calls a server at another replica, whose client is attached to a session of the agent.
   */
  readonly elsewhere?: (serverId: string) => ((call: McpCall) => Promise<unknown>) | undefined;
}

/** The connection of a client that serves MCP servers. */
export interface McpClient {
  readonly connection: Connection;
  readonly scope: Scope;
  /** Counts memory of the client. @throws {RpcError} if there is none. */
  readonly hold: (bytes: number) => Holding;
}

/** The functions that send notifications of the running calls of a server, by the agent's ids of the calls. */
type RunningCalls = Map<string, McpCall["notify"]>;

interface DeclaredServer {
  readonly client: McpClient;
  readonly calls: RunningCalls;
}

/**
 * The MCP servers that clients serve over their connections (type `acp`). A call goes to the connection that has
 * declared the server last, on this replica if there is one, and never to a second one, because it may have an effect.
 * It is not journaled.
 */
export class McpServers {
  readonly #servers = new Map<string, DeclaredServer>();
  /** The running calls of servers at other replicas. */
  readonly #elsewhere = new Map<string, RunningCalls>();
  /** The names of the servers of each client, oldest first. */
  readonly #names = new Map<McpClient, Set<string>>();

  /**
   * Records the servers of a client among those of `mcpServers`. Call {@link withdraw} when its connection has ended.
   */
  declare(client: McpClient, mcpServers: readonly unknown[]): void {
    for (const serverId of acpServerIds(mcpServers)) {
      const name = nameOf(client.scope, serverId);
      const names = this.#names.get(client) ?? new Set();
      this.#names.set(client, names.add(name));
      if (this.#servers.get(name)?.client !== client) this.#servers.set(name, { client, calls: new Map() });
      const [oldest = ""] = names;
      if (names.size > MAX_SERVERS_OF_CLIENT) this.#remove(client, oldest);
    }
  }

  withdraw(client: McpClient): void {
    for (const name of this.#names.get(client) ?? []) this.#remove(client, name);
    this.#names.delete(client);
  }

  #remove(client: McpClient, name: string): void {
    this.#names.get(client)?.delete(name);
    if (this.#servers.get(name)?.client === client) this.#servers.delete(name);
  }

  /** Sends a call to the client of the server, and resolves with its response. */
  async call(scope: Scope, call: McpCall): Promise<unknown> {
    const { serverId, requestId } = idsOf(call.params);
    if (typeof serverId !== "string" || typeof requestId !== "string")
      throw new RpcError(errors.invalidParams, `${MCP_MESSAGE} needs serverId and requestId, which are strings`);
    const name = nameOf(scope, serverId);
    const server = this.#servers.get(name);
    const callElsewhere = server === undefined ? call.elsewhere?.(serverId) : undefined;
    if (server === undefined && callElsewhere === undefined)
      throw unavailable(`No connected client serves the MCP server ${shorten(serverId)}`);
    const calls = server?.calls ?? this.#elsewhere.get(name) ?? new Map();
    if (calls.has(requestId)) throw new RpcError(errors.invalidParams, "A call with this id is running");
    if (calls.size >= MAX_ACTIVE_CALLS)
      throw new RpcError(errors.tooManyCalls, `More than ${MAX_ACTIVE_CALLS} calls of the MCP server run`);
    calls.set(requestId, call.notify);
    if (callElsewhere !== undefined) this.#elsewhere.set(name, calls);
    try {
      return await (server === undefined ? callElsewhere?.(call) : request(server.client, call));
    } finally {
      calls.delete(requestId);
      if (calls.size === 0) this.#elsewhere.delete(name);
    }
  }

  /** Passes a notification of a client to the agent whose call it belongs to. */
  notified(client: McpClient, params: unknown): void {
    const { serverId, requestId } = idsOf(params);
    const server = this.#servers.get(nameOf(client.scope, String(serverId)));
    const notify = server?.client === client ? server.calls.get(String(requestId)) : undefined;
    if (notify === undefined) return;
    const holding = client.hold(memoryOf(params)); // while it is on its way to another replica
    void Promise.resolve(notify(params as object)).finally(() => holding.release());
  }

  /** Passes a notification of a client of another replica to the agent whose call it belongs to. */
  notifiedElsewhere(scope: Scope, params: object): void {
    const { serverId, requestId } = idsOf(params);
    this.#elsewhere.get(nameOf(scope, String(serverId)))?.get(String(requestId))?.(params);
  }
}

/** Sends a call to a client of this replica. */
async function request({ connection, hold }: McpClient, { params, signal }: McpCall): Promise<unknown> {
  const holding = hold(memoryOf(params));
  try {
    return await connection.request(MCP_MESSAGE, params as object, { signal });
  } catch (error) {
    if (isRpcError(error)) throw error;
    if (signal.aborted) throw new RpcError(errors.cancelled, "The call was cancelled");
    throw unavailable("The client that serves the MCP server has disconnected");
  } finally {
    holding.release();
  }
}

function idsOf(params: unknown): JsonObject {
  return isJsonObject(params) ? params : {};
}

/** Returns the ids of those MCP servers that a client serves over its connection. */
export function acpServerIds(servers: readonly unknown[]): string[] {
  return servers.flatMap((server) => {
    const { type, serverId } = (isJsonObject(server) ? server : {}) as JsonObject;
    const isServer = type === "acp" && typeof serverId === "string" && serverId.length <= MAX_SERVER_ID_LENGTH;
    return isServer ? [serverId] : [];
  });
}

/** The error of a call of a server that is not there. */
export function unavailable(message: string): RpcError {
  return new RpcError(errors.unavailable, message);
}

function nameOf(scope: Scope, serverId: string): string {
  return `${scopeName(scope)}${serverId}`;
}
