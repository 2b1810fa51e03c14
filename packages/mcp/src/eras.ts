import { isRpcError } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject, onAbort } from "@acp-kit/jsonrpc/internal";
import { type McpOutcome, REVISION_MEMBER, requestMeta, SERVER_INFO } from "./mcp-source.js";
import type { ServerCall } from "./served-server.js";

/** The revisions of MCP that begin with `initialize`, the latest first. */
const legacyRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** A server of the era without a handshake. */
export interface CallableServer {
  readonly name: string;
  /** Runs a call. @throws {RpcError} for an error of the binding. */
  call(call: ServerCall): Promise<McpOutcome>;
}

/**
 * Serves MCP clients of both eras with a server of the era without a handshake. A request belongs to that era if its
 * `_meta` has a revision; all others belong to the era of `initialize`.
 */
export class BothEras {
  readonly #server: CallableServer;
  /** The running requests, by the ids of the client. */
  readonly #running = new Map<unknown, AbortController>();
  #calls = 0;

  constructor(server: CallableServer) {
    this.#server = server;
  }

  /**
   * Handles a message of a client. Resolves with the response, or with `undefined` if the message gets none.
   *
   * @param notify sends a notification that belongs to the request.
   * @param signal aborts when the client can no longer receive the response.
   */
  async handle(
    message: unknown,
    notify: (message: JsonObject) => void,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    if (!isJsonObject(message)) return response(null, failure(-32600, "A message must be one JSON object"));
    const { id, method } = message;
    if (method === undefined && ("result" in message || "error" in message)) return undefined; // to no request of ours
    if (typeof method !== "string") return response(null, failure(-32600, "A message must have a method"));
    const params = isJsonObject(message.params) ? message.params : {};
    if (id === undefined) {
      if (method === "notifications/cancelled")
        this.#running.get(params.requestId)?.abort(new Error("The agent cancelled the call"));
      return undefined;
    }
    if (typeof id !== "string" && typeof id !== "number") return response(null, failure(-32600, "The id is invalid"));
    const controller = new AbortController();
    this.#running.set(id, controller);
    const send = (name: string, more: JsonObject): void => notify({ jsonrpc: "2.0", method: name, params: more });
    const stop = onAbort(signal, () => controller.abort(signal.reason));
    try {
      return response(id, await this.#answer(method, params, send, controller.signal));
    } finally {
      stop();
      if (this.#running.get(id) === controller) this.#running.delete(id);
    }
  }

  async #answer(
    method: string,
    params: JsonObject,
    notify: (method: string, params: JsonObject) => void,
    signal: AbortSignal,
  ): Promise<McpOutcome> {
    const call = async (name: string, sent: JsonObject): Promise<McpOutcome> => {
      this.#calls += 1;
      const key = `bridge-${this.#calls}`;
      try {
        return await this.#server.call({ key, method: name, params: sent, signal, notify });
      } catch (error) {
        if (!isRpcError(error)) throw error;
        return { error: error.toJSON() };
      }
    };
    const meta = isJsonObject(params._meta) ? params._meta : {};
    if (Object.hasOwn(meta, REVISION_MEMBER)) return call(method, params);
    if (method === "ping") return { result: {} };
    const sent = method === "initialize" ? {} : params;
    const outcome = await call(method === "initialize" ? "server/discover" : method, {
      ...sent,
      _meta: { ...(method === "initialize" ? {} : meta), ...requestMeta },
    });
    if ("error" in outcome || !isJsonObject(outcome.result)) return outcome;
    return {
      result: method === "initialize" ? this.#initialized(params, outcome.result) : legacyResult(outcome.result),
    };
  }

  #initialized({ protocolVersion }: JsonObject, { capabilities = {}, instructions, _meta }: JsonObject): JsonObject {
    const known = legacyRevisions.includes(protocolVersion as string);
    const info = isJsonObject(_meta) ? _meta[SERVER_INFO] : undefined;
    return {
      protocolVersion: known ? protocolVersion : legacyRevisions[0],
      capabilities,
      serverInfo: info ?? { name: this.#server.name, version: "1.0.0" },
      ...(instructions !== undefined && { instructions }),
    };
  }
}

/** Converts a result to the era of `initialize`, which has no results that ask for more input. */
function legacyResult({ resultType, ttlMs: _, cacheScope: __, _meta, ...result }: JsonObject): JsonObject {
  if (resultType === "input_required") {
    const text = "The tool asks for input, which is impossible in this revision of MCP.";
    return { content: [{ type: "text", text }], isError: true };
  }
  const { [SERVER_INFO]: ___, ...meta } = isJsonObject(_meta) ? _meta : {};
  return { ...result, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
}

function failure(code: number, message: string): McpOutcome {
  return { error: { code, message } };
}

function response(id: unknown, outcome: McpOutcome): JsonObject {
  return { jsonrpc: "2.0", id, ...outcome };
}
