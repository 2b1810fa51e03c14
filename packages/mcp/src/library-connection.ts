import { isJsonObject, type JsonObject, onAbort } from "@acp-kit/jsonrpc/internal";
import type { McpOutcome, McpRequest } from "./mcp-source.js";

/** The revision that a server of the official library gets. It responds with the one that it supports. */
const REQUESTED_REVISION = "2025-11-25";

/** A server of the official MCP library: `McpServer` or `Server` of `@modelcontextprotocol/sdk` and `…/server`. */
export interface LibraryServer {
  /** Connects the server to a transport of its library. */
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
}

/** A transport of the official MCP library. */
export interface LibraryTransport {
  onmessage?: (message: JsonObject) => void;
  onclose?: () => void;
  start(): Promise<void>;
  send(message: JsonObject, options?: { readonly relatedRequestId?: unknown }): Promise<void>;
  close(): Promise<void>;
}

interface OpenRequest {
  readonly settle: (outcome: McpOutcome) => void;
  readonly notify: McpRequest["notify"];
  /** The agent's token for progress. The server gets the id of the request as the token. */
  readonly progressToken: unknown;
}

/** A connection in this process to a server of the official MCP library, in the era of `initialize`. */
export class LibraryConnection {
  readonly #transport: LibraryTransport;
  readonly #open = new Map<unknown, OpenRequest>();
  #count = 0;
  #isClosed = false;
  /** The result of `initialize`. */
  initialized: JsonObject = {};

  /** Creates a server, connects to it and initializes it. When `signal` aborts, the server is closed. */
  static async open(create: () => Promise<LibraryServer>, signal: AbortSignal): Promise<LibraryConnection> {
    const server = await create();
    const connection = new LibraryConnection();
    onAbort(signal, () => {
      void server.close().catch(() => {}); // the server can be the first to end
      connection.#closed();
    });
    await server.connect(connection.#transport as never);
    const clientInfo = { name: "acp-kit", version: "1.0.0" };
    const params = { protocolVersion: REQUESTED_REVISION, capabilities: {}, clientInfo };
    const outcome = await connection.request({ method: "initialize", params, signal, notify: () => {} });
    if ("error" in outcome || !isJsonObject(outcome.result))
      throw new TypeError("The MCP server refused initialize", { cause: outcome });
    connection.initialized = outcome.result;
    connection.#send({ method: "notifications/initialized" });
    return connection;
  }

  private constructor() {
    this.#transport = {
      start: async () => {},
      send: async (message, options) => this.#received(message, options?.relatedRequestId),
      close: async () => {
        this.#closed();
        this.#transport.onclose?.();
      },
    };
  }

  /** Sends a request to the server, and resolves with its outcome. */
  request({ method, params, signal, notify }: McpRequest): Promise<McpOutcome> {
    if (this.#isClosed || signal.aborted) return Promise.reject(new Error("The MCP server has closed its connection"));
    this.#count += 1;
    const id = this.#count;
    const meta = isJsonObject(params?._meta) ? params._meta : {};
    const { progressToken } = meta;
    const sent = progressToken === undefined ? params : { ...params, _meta: { ...meta, progressToken: id } };
    return new Promise((resolve) => {
      const stop = onAbort(signal, () => {
        this.#send({ method: "notifications/cancelled", params: { requestId: id, reason: "cancelled" } });
        settle({ error: { code: -32800, message: "The call was cancelled" } }); // the server responds no more
      });
      const settle = (outcome: McpOutcome): void => {
        stop();
        this.#open.delete(id);
        resolve(outcome);
      };
      this.#open.set(id, { settle, notify, progressToken });
      this.#send({ id, method, ...(sent !== undefined && { params: sent }) });
    });
  }

  #send(message: JsonObject): void {
    this.#transport.onmessage?.({ jsonrpc: "2.0", ...message });
  }

  #received({ id, method, params, result, error }: JsonObject, relatedTo: unknown): void {
    if (method === undefined) {
      this.#open.get(id)?.settle((error === undefined ? { result } : { error }) as McpOutcome);
      return;
    }
    const values = isJsonObject(params) ? params : {};
    if (id !== undefined) {
      const refused = { code: -32601, message: `The client does not support ${method}` };
      queueMicrotask(() => this.#send({ id, error: refused })); // a transport never delivers inside of send
      return;
    }
    const isProgress = method === "notifications/progress";
    const request = this.#open.get(isProgress ? values.progressToken : relatedTo);
    if (request === undefined) return; // about no request, or a late one
    request.notify(String(method), isProgress ? { ...values, progressToken: request.progressToken } : values);
  }

  #closed(): void {
    this.#isClosed = true;
    const error = { code: -32603, message: "The MCP server has closed its connection" };
    for (const { settle } of [...this.#open.values()]) settle({ error });
  }
}
