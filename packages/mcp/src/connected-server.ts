import { type Connection, isRpcError, RpcError } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { handlerOf } from "./from-mcp-server.js";
import { LibraryConnection, type LibraryServer, type LibraryTransport } from "./library-connection.js";
import type { McpHandler } from "./mcp-source.js";
import { bindingErrors } from "./served-server.js";

/** Passes a client's notifications of a connection to an MCP server. Returns the function that stops it. */
export type OnNotification = (connectionId: string, deliver: (method: unknown, params: unknown) => void) => () => void;

/**
 * Opens a connection to a server of a client that knows only the earlier form of MCP over ACP (`mcp/connect`), in the
 * era of `initialize`. It is closed when `signal` aborts.
 *
 * @returns the handler of the server's requests.
 * @throws {RpcError} if the client does not know that form either.
 */
export async function openConnectedServer(
  connection: Connection,
  serverId: string,
  onNotification: OnNotification,
  signal: AbortSignal,
): Promise<McpHandler> {
  const opened = await connection.request("mcp/connect", { serverId, acpId: serverId }, { signal });
  const connectionId = isJsonObject(opened) ? opened.connectionId : undefined;
  if (typeof connectionId !== "string")
    throw new RpcError(bindingErrors.failed, "The client's response to mcp/connect has no connectionId");
  const server = new ConnectedServer(connection, connectionId, onNotification);
  try {
    const library = await LibraryConnection.open(async () => server, signal);
    return handlerOf(async () => library);
  } catch (cause) {
    throw new RpcError(bindingErrors.failed, "The MCP server could not be initialized", { cause });
  }
}

/** A server at the other end of a connection of the earlier form, in the form of the official MCP library. */
class ConnectedServer implements LibraryServer {
  readonly #connection: Connection;
  readonly #connectionId: string;
  readonly #onNotification: OnNotification;
  readonly #running = new Map<unknown, AbortController>();
  #stop = (): void => {};

  constructor(connection: Connection, connectionId: string, onNotification: OnNotification) {
    this.#connection = connection;
    this.#connectionId = connectionId;
    this.#onNotification = onNotification;
  }

  async connect(transport: LibraryTransport): Promise<void> {
    const send = (message: JsonObject): void => void transport.send({ jsonrpc: "2.0", ...message });
    this.#stop = this.#onNotification(this.#connectionId, (method, params) => send({ method, params }));
    transport.onmessage = ({ id, method, params }) => {
      const message = { connectionId: this.#connectionId, method, ...(params !== undefined && { params }) };
      if (id !== undefined) void this.#request(id, message).then((outcome) => send({ id, ...outcome }));
      else if (method === "notifications/cancelled") this.#running.get((params as JsonObject).requestId)?.abort();
      else void this.#connection.notify("mcp/message", message);
    };
  }

  async #request(id: unknown, message: object): Promise<JsonObject> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const options = { signal: controller.signal, timeoutMs: 0 }; // a tool may wait for a person
      return { result: await this.#connection.request("mcp/message", message, options) };
    } catch (error) {
      const { unavailable } = bindingErrors;
      return {
        error: isRpcError(error) ? error.toJSON() : { code: unavailable, message: "The client has disconnected" },
      };
    } finally {
      this.#running.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#connection.request("mcp/disconnect", { connectionId: this.#connectionId }).catch(() => {});
  }
}
