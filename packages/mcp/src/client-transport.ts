import { type Connection, isRpcError, JsonRpcErrorCode, RpcError } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { type OnNotification, openConnectedServer } from "./connected-server.js";
import { BothEras } from "./eras.js";
import type { McpHandler, McpOutcome } from "./mcp-source.js";
import { bindingErrors, outcomeOf, type ServerCall } from "./served-server.js";

/** A connection of an agent to a client, such as the handlers of `createAgent` get. */
export interface ClientOfAgent {
  readonly peer: { readonly connection: Connection };
}

/** A transport for MCP clients: those of the official library, version 1 and 2, and of `@ai-sdk/mcp`. */
export interface McpClientTransport {
  onmessage?: ((message: object) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates a transport with which an MCP client in an agent reaches a server that the agent's client serves over its
 * connection (type `acp`). The agent must set `mcpTransports: { acp: true }`.
 *
 * @param client the connection over which the session was opened.
 * @param server an entry of `mcpServers`.
 * @throws {TypeError} when the entry is not of the type `acp`.
 * @example
 * ```ts
 * createAgent({
 *   mcpTransports: { acp: true },
 *   async newSession({ mcpServers }, { connection }) {
 *     const mcp = new Client({ name: "my-agent", version: "1.0.0" }); // of @modelcontextprotocol/client
 *     await mcp.connect(clientTransport(connection, mcpServers[0]));
 *     …
 * ```
 */
export function clientTransport(client: ClientOfAgent, server: object): McpClientTransport {
  const { type, name, serverId } = server as Record<string, unknown>;
  if (type !== "acp" || typeof serverId !== "string") throw new TypeError("The MCP server is not of the type acp");
  const { connection } = client.peer;
  const ended = new AbortController();
  const called = new CalledServer(connection, serverId, ended.signal);
  const eras = new BothEras({ name: String(name), call: (call) => called.call(call) });
  const transport: McpClientTransport = {
    async start() {},
    async send(message) {
      const deliver = (received: object): void => {
        try {
          transport.onmessage?.(received);
        } catch (error) {
          transport.onerror?.(error as Error); // clients throw when a response comes after they have given up
        }
      };
      // The client gets the response later: a transport never delivers inside of `send`
      void eras.handle(message, deliver, ended.signal).then((response) => {
        if (response !== undefined && !ended.signal.aborted) deliver(response);
      });
    },
    async close() {
      if (ended.signal.aborted) return;
      ended.abort(new Error("The MCP client has closed its connection"));
      transport.onclose?.();
    },
  };
  void connection.closed.then(() => transport.close());
  return transport;
}

/** The calls of one connection. A connection has one handler for the notifications of all its servers. */
const known = new WeakMap<Connection, ServerCalls>();

function callsOf(connection: Connection): ServerCalls {
  const calls = known.get(connection) ?? new ServerCalls(connection);
  known.set(connection, calls);
  return calls;
}

/**
 * The errors with which clients refuse calls that they don't know, which may know the earlier form with connections.
 */
const unknownForm: ReadonlySet<number> = new Set([JsonRpcErrorCode.methodNotFound, JsonRpcErrorCode.invalidParams]);

/** A server of a client, called in the form that the client knows. */
class CalledServer {
  readonly #connection: Connection;
  readonly #serverId: string;
  readonly #ended: AbortSignal;
  #earlier: Promise<McpHandler> | undefined;
  /** Whether a call in the current form has succeeded: later errors are about their calls, which must not run twice. */
  #isCurrent = false;

  constructor(connection: Connection, serverId: string, ended: AbortSignal) {
    this.#connection = connection;
    this.#serverId = serverId;
    this.#ended = ended;
  }

  async call(call: ServerCall): Promise<McpOutcome> {
    if (this.#earlier !== undefined) return this.#callConnected(this.#earlier, call);
    try {
      const outcome = await callsOf(this.#connection).run(this.#serverId, call);
      this.#isCurrent = true;
      return outcome;
    } catch (error) {
      if (this.#isCurrent || !isRpcError(error) || !unknownForm.has(error.code)) throw error;
      const earlier = this.#earlier ?? this.#connect();
      this.#earlier = earlier;
      try {
        await earlier;
      } catch {
        this.#earlier = undefined;
        throw error;
      }
      return this.#callConnected(earlier, call);
    }
  }

  #connect(): Promise<McpHandler> {
    const { onNotification } = callsOf(this.#connection);
    return openConnectedServer(this.#connection, this.#serverId, onNotification, this.#ended);
  }

  async #callConnected(
    handler: Promise<McpHandler>,
    { method, params, signal, notify }: ServerCall,
  ): Promise<McpOutcome> {
    try {
      return await (await handler)({ method, params, signal: signal ?? this.#ended, notify });
    } catch (cause) {
      throw new RpcError(bindingErrors.unavailable, "The MCP server has disconnected", { cause });
    }
  }
}

/** The running calls of an agent to servers of its client. */
class ServerCalls {
  readonly #connection: Connection;
  readonly #running = new Map<unknown, ServerCall["notify"]>();
  /** The receivers of the notifications of connections, in the earlier form. */
  readonly #connected = new Map<unknown, (method: unknown, params: unknown) => void>();
  #count = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onNotification("mcp/message", (value) => {
      const { requestId, connectionId, method, params } = (isJsonObject(value) ? value : {}) as JsonObject;
      this.#connected.get(connectionId)?.(method, params);
      if (typeof method === "string") this.#running.get(requestId)?.(method, isJsonObject(params) ? params : {});
    });
  }

  readonly onNotification: OnNotification = (connectionId, deliver) => {
    this.#connected.set(connectionId, deliver);
    return () => this.#connected.delete(connectionId);
  };

  async run(serverId: string, { method, params, signal, notify }: ServerCall): Promise<McpOutcome> {
    this.#count += 1;
    const requestId = `call-${this.#count}`;
    this.#running.set(requestId, notify);
    try {
      const call = { serverId, requestId, method, ...(params !== undefined && { params }) };
      // A tool may wait for a person, so the call has no deadline
      return outcomeOf(await this.#connection.request("mcp/message", call, { signal, timeoutMs: 0 }));
    } catch (error) {
      if (isRpcError(error)) throw error;
      if (error instanceof TypeError)
        throw new RpcError(JsonRpcErrorCode.internalError, "The client's response is not one of MCP");
      throw new RpcError(bindingErrors.unavailable, "The client has disconnected", { cause: error });
    } finally {
      this.#running.delete(requestId);
    }
  }
}
