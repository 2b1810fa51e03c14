import { type Diagnostic, type Message, RpcError } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject, shorten } from "@acp-kit/jsonrpc/internal";
import { AgentConnections } from "./agent-connections.js";
import { bindingErrors, type ServedServer } from "./served-server.js";
import type { SessionServers } from "./session-servers.js";

/** What the calls of an agent need. */
export interface AgentCallsParts {
  readonly servers: SessionServers;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Sends a message to the agent. */
  readonly write: (message: Message) => void;
}

/** The running calls of an agent over its connection (`mcp/message`). */
export class AgentCalls {
  readonly #parts: AgentCallsParts;
  /** By the id of the agent's request. */
  readonly #running = new Map<unknown, { readonly server: ServedServer; readonly key: string }>();

  readonly #connections: AgentConnections;

  constructor(parts: AgentCallsParts) {
    this.#parts = parts;
    const { servers, write } = parts;
    this.#connections = new AgentConnections({
      servers,
      respond: (id, outcome) => this.#respond(id, outcome),
      notify: (method, params) => write({ jsonrpc: "2.0", method, params }),
    });
  }

  /** Whether a message is for one of the servers, or of one of their connections. */
  serves(params: unknown): boolean {
    const { serverId, acpId, connectionId } = (isJsonObject(params) ? params : {}) as JsonObject;
    const isServed = this.#parts.servers.get(String(serverId ?? acpId)) !== undefined;
    return isServed || this.#connections.has(connectionId);
  }

  /** Handles a message of the agent whose method begins with `mcp/`. */
  receive(message: JsonObject): void {
    const { id, method, params } = message;
    const isConnected =
      isJsonObject(params) && params.serverId === undefined && typeof params.connectionId === "string";
    if (method !== "mcp/message" || isConnected) this.#connections.receive(message);
    else if ("id" in message) this.#run(id, params); // notifications belong to calls of the client, and there are none
  }

  #run(id: unknown, params: unknown): void {
    const { servers, write } = this.#parts;
    const call = this.#running.has(id) ? invalid("A request with this id is running") : readCall(params);
    const server = call instanceof RpcError ? call : (servers.get(call.serverId) ?? unavailable(call.serverId));
    if (call instanceof RpcError || server instanceof RpcError) {
      this.#respond(id, { error: (server as RpcError).toJSON() });
      return;
    }
    const { serverId, requestId } = call;
    this.#running.set(id, { server, key: requestId });
    const notify = (method: string, more: JsonObject): void => {
      write({ jsonrpc: "2.0", method: "mcp/message", params: { serverId, requestId, method, params: more } });
    };
    void server.call({ key: requestId, method: call.method, params: call.params, notify }).then(
      (outcome) => this.#settle(id, { result: outcome }),
      (error: RpcError) => this.#settle(id, { error: error.toJSON() }),
    );
  }

  /** Cancels the call of a request. Returns whether there is one. */
  cancel(id: unknown): boolean {
    const call = this.#running.get(id);
    call?.server.cancel(call.key, new Error("The agent cancelled the call"));
    return call !== undefined || this.#connections.cancel(id);
  }

  /** Aborts all calls. */
  abort(reason: unknown): void {
    for (const { server, key } of [...this.#running.values()]) server.cancel(key, reason);
    this.#connections.abort(reason);
  }

  #settle(id: unknown, outcome: JsonObject): void {
    this.#running.delete(id);
    this.#respond(id, outcome);
  }

  #respond(id: unknown, outcome: JsonObject): void {
    const { write, report } = this.#parts;
    try {
      write({ jsonrpc: "2.0", id, ...outcome } as unknown as Message);
    } catch (cause) {
      report({ code: "unserializable", message: "A result of an MCP server is not JSON", cause });
      const error = new RpcError(bindingErrors.failed, "The MCP server failed");
      write({ jsonrpc: "2.0", id, error: error.toJSON() } as unknown as Message);
    }
  }
}

/** Reads the params of `mcp/message`, or returns the error of the request. */
function readCall(
  params: unknown,
): { serverId: string; requestId: string; method: string; params: JsonObject | undefined } | RpcError {
  const { serverId, requestId, method, params: inner } = (isJsonObject(params) ? params : {}) as JsonObject;
  if (typeof serverId !== "string" || typeof requestId !== "string" || typeof method !== "string")
    return invalid("mcp/message needs serverId, requestId and method, which are strings");
  if (inner !== undefined && inner !== null && !isJsonObject(inner))
    return invalid("The params of an MCP request must be an object");
  return { serverId, requestId, method, params: inner ?? undefined };
}

function invalid(message: string): RpcError {
  return new RpcError(bindingErrors.invalidParams, message);
}

function unavailable(serverId: string): RpcError {
  return new RpcError(bindingErrors.unavailable, `No MCP server ${shorten(serverId)} is declared on this connection`);
}
