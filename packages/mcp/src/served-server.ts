import { type Diagnostic, RpcError } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject, onAbort, shorten } from "@acp-kit/jsonrpc/internal";
import { type McpHandler, type McpOutcome, MODERN_REVISION, REVISION_MEMBER } from "./mcp-source.js";

/** The codes of errors of the binding, which are errors of ACP. Errors of MCP are inside of a successful response. */
export const bindingErrors = {
  invalidParams: -32602,
  cancelled: -32800,
  tooManyCalls: -33000,
  unavailable: -33001,
  failed: -33002,
} as const;

/** The number of calls of one server that run at the same time. */
export const MAX_ACTIVE_CALLS = 64;

/** A call of a server. */
export interface ServerCall {
  /** Identifies the call among those that run, for each caller. */
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly signal: AbortSignal;
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
  readonly #calls = new Map<string, AbortController>();
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
  async call({ key, method, params, signal, notify }: ServerCall): Promise<McpOutcome> {
    const { unavailable, invalidParams, tooManyCalls, cancelled, failed } = bindingErrors;
    if (this.#isClosed) throw new RpcError(unavailable, "The MCP server is not available: its session has ended");
    if (this.#calls.has(key)) throw new RpcError(invalidParams, `A call with the id ${shorten(key)} is running`);
    if (this.#calls.size >= MAX_ACTIVE_CALLS)
      throw new RpcError(tooManyCalls, `More than ${MAX_ACTIVE_CALLS} calls of the MCP server run`);
    const refused = refusalOf(params);
    if (refused !== undefined) return refused;
    const controller = new AbortController();
    this.#calls.set(key, controller);
    const stop = onAbort(signal, () => controller.abort(signal.reason));
    let isDone = false;
    const request = {
      ...{ method, params },
      signal: controller.signal,
      notify: (name: string, more: JsonObject) => {
        if (!isDone) notify(name, more);
      },
    };
    try {
      return outcomeOf(await untilAborted(controller.signal, async () => this.#handler(request)));
    } catch (cause) {
      if (controller.signal.aborted) throw new RpcError(cancelled, "The call was cancelled");
      this.#report({ code: "mcp_server_failed", message: `The MCP server ${this.name} failed`, method, cause });
      throw new RpcError(failed, "The MCP server failed");
    } finally {
      isDone = true;
      stop();
      this.#calls.delete(key);
    }
  }

  /** Aborts all running calls. */
  abort(reason: unknown): void {
    for (const controller of [...this.#calls.values()]) controller.abort(reason);
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

/** Runs a function, and rejects as soon as `signal` aborts, even if the function goes on. */
async function untilAborted<Result>(signal: AbortSignal, run: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(signal.reason));
  });
  const running = run();
  running.catch(() => {}); // it can fail after the abort
  try {
    return await Promise.race([running, aborted]);
  } finally {
    stop();
  }
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
