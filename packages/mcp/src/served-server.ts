import { type Diagnostic, RpcError } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject, onAbort, shorten } from "@acp-kit/jsonrpc/internal";
import { type McpHandler, type McpOutcome, MODERN_REVISION, REVISION_MEMBER } from "./mcp-source.js";
import { RunningCall } from "./running-call.js";

/** The codes of errors of the binding, which are errors of ACP. Errors of MCP are inside of a successful response. */
export const bindingErrors = {
  invalidParams: -32602,
  cancelled: -32800,
  tooManyCalls: -33000,
  unavailable: -33001,
  failed: -33002,
} as const;

const CANCELLED = "The call was cancelled";

/** The number of calls of one server that run at the same time. */
export const MAX_ACTIVE_CALLS = 64;

/** A call of a server. */
export interface ServerCall {
  /** Identifies the call among those that run, for each caller. */
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** Aborts when the caller gives up. */
  readonly signal?: AbortSignal;
  /** Sends a notification of the call. It is not called after the call has settled. */
  readonly notify: (method: string, params: JsonObject) => void;
}

/** A server that was declared for one session, and its running calls. */
export class ServedServer {
  readonly name: string;
  /** Identifies the server on the connection, and so its session. */
  readonly serverId: string = `mcp-${globalThis.crypto.randomUUID()}`;
  readonly #handler: McpHandler;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #calls = new Map<string, RunningCall>();
  #isClosed = false;

  constructor(name: string, handler: McpHandler, report: (diagnostic: Diagnostic) => void) {
    this.name = name;
    this.#handler = handler;
    this.#report = report;
  }

  /**
   * Runs a call. Resolves with the result or error of MCP.
   *
   * @throws {RpcError} for an error of the binding.
   */
  call(request: ServerCall): Promise<McpOutcome> {
    const { key, signal } = request;
    const { cancelled, failed } = bindingErrors;
    const refused = this.#refusalOf(key) ?? (signal?.aborted ? new RpcError(cancelled, CANCELLED) : undefined);
    if (refused !== undefined) return Promise.reject(refused);
    const unknown = refusalOf(request.params);
    if (unknown !== undefined) return Promise.resolve(unknown);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        call.done();
        stop();
        if (this.#calls.get(key) === call) this.#calls.delete(key);
      };
      const call = new RunningCall(request, () => {
        end();
        reject(new RpcError(cancelled, CANCELLED));
      });
      const fail = (cause: unknown): void => {
        if (this.#calls.get(key) !== call) return; // it was aborted
        end();
        const { method } = request;
        this.#report({ code: "mcp_server_failed", message: `The MCP server ${this.name} failed`, method, cause });
        reject(new RpcError(failed, "The MCP server failed"));
      };
      const succeed = (outcome: unknown): void => {
        if (this.#calls.get(key) !== call) return;
        try {
          resolve(outcomeOf(outcome));
          end();
        } catch (error) {
          fail(error);
        }
      };
      this.#calls.set(key, call);
      const stop = onAbort(signal, () => call.abort(signal?.reason));
      try {
        const outcome = this.#handler(call);
        if ("then" in outcome) outcome.then(succeed, fail);
        else succeed(outcome);
      } catch (error) {
        fail(error);
      }
    });
  }

  /** Cancels a running call. */
  cancel(key: string, reason: unknown): void {
    this.#calls.get(key)?.abort(reason);
  }

  #refusalOf(key: string): RpcError | undefined {
    const { unavailable, invalidParams, tooManyCalls } = bindingErrors;
    if (this.#isClosed) return new RpcError(unavailable, "The MCP server is not available: its session has ended");
    if (this.#calls.has(key)) return new RpcError(invalidParams, `A call with the id ${shorten(key)} is running`);
    if (this.#calls.size < MAX_ACTIVE_CALLS) return undefined;
    return new RpcError(tooManyCalls, `More than ${MAX_ACTIVE_CALLS} calls of the MCP server run`);
  }

  /** Aborts all running calls. */
  abort(reason: unknown): void {
    for (const call of [...this.#calls.values()]) call.abort(reason);
  }

  /** Aborts all running calls, and refuses later ones. */
  close(reason: unknown): void {
    this.#isClosed = true;
    this.abort(reason);
  }
}

/** Returns the error of a request that does not have the revision of MCP that the handlers understand. */
function refusalOf(params: JsonObject | undefined): McpOutcome | undefined {
  const requested = isJsonObject(params?._meta) ? params._meta[REVISION_MEMBER] : undefined;
  if (requested === MODERN_REVISION) return undefined;
  if (typeof requested !== "string")
    return { error: { code: -32602, message: `Invalid params: ${REVISION_MEMBER} is missing in _meta` } };
  const data = { supported: [MODERN_REVISION], requested: shorten(requested) };
  return { error: { code: -32022, message: "Unsupported protocol version", data } };
}

/**
 * Returns an outcome with exactly one of `result` and a valid `error`.
 *
 * @throws {TypeError} for other values.
 */
export function outcomeOf(outcome: unknown): McpOutcome {
  const { result, error } = (outcome ?? {}) as { readonly result?: unknown; readonly error?: unknown };
  if (result !== undefined && error === undefined) return { result };
  if (result === undefined && isJsonObject(error) && Number.isInteger(error.code) && typeof error.message === "string")
    return { error: error as never };
  throw new TypeError("An outcome of MCP has either a result or an error with code and message");
}
