import { type Diagnostic, type Extension, isRpcError, type PeerContext, RpcError } from "@acp-kit/protocol";
import { type Extensions, isThenable, JsonRpcErrorCode, shorten } from "@acp-kit/protocol/internal";

/** Which details of an error the client receives; see `AgentOptions.errorDetails`. */
export type ErrorDetails = "hide" | "send";

type Handler<Params, Result> = (params: Params, context: PeerContext) => Result | PromiseLike<Result>;

/**
 * Handles errors that the agent's handlers throw: reports the error as a diagnostic with the method and the session,
 * and responds to the client with an internal error. An `RpcError` is sent to the client unchanged.
 */
export class HandlerFailures {
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #details: ErrorDetails;

  constructor(report: (diagnostic: Diagnostic) => void, details: ErrorDetails) {
    this.#report = report;
    this.#details = details;
  }

  /**
   * Wraps a handler, so that its errors are reported and become an error response. A synchronous handler stays
   * synchronous.
   */
  watch<Params, Result>(method: string, handler: Handler<Params, Result>): Handler<Params, Result> {
    return (params, context) => {
      const failed = (error: unknown): never => {
        throw this.#responseFor(error, method, params, context);
      };
      try {
        const result = handler(params, context);
        return isThenable(result) ? result.then(undefined, failed) : result;
      } catch (error) {
        return failed(error);
      }
    };
  }

  /**
   * Does the same as {@link watch} for the handlers of extension requests. Handlers of extension notifications are not
   * wrapped: a notification has no response, and the connection reports the failure of its handler.
   */
  watchAll(extensions: Extensions): Extensions {
    const watched = Object.entries(extensions).map(([method, extension]): [string, Extension] => {
      if (extension.kind !== "request") return [method, extension];
      const handle = this.watch(method, (params: unknown, context: PeerContext) => extension.handle(params, context));
      return [method, { kind: "request", handle: (params, context) => handle(params, context as PeerContext) }];
    });
    return Object.fromEntries(watched);
  }

  #responseFor(error: unknown, method: string, params: unknown, { id, signal }: PeerContext): unknown {
    // After a cancel, the connection responds that the request was cancelled
    if (isRpcError(error) || signal.aborted) return error;
    const sessionId = sessionOf(params);
    const where = sessionId === undefined ? "" : ` in session ${shorten(sessionId)}`;
    const response = this.#details === "send" ? `"Internal error" with the error's message` : `"Internal error"`;
    this.#report({
      code: "handler_failed",
      message: `The handler of ${method} failed${where}; the client received the response ${response}`,
      method,
      id,
      cause: error,
      ...(sessionId !== undefined && { data: { sessionId } }),
    });
    const data = this.#details === "send" ? { data: detailsOf(error) } : {};
    return new RpcError(JsonRpcErrorCode.internalError, "Internal error", { ...data, cause: error });
  }
}

function sessionOf(params: unknown): string | undefined {
  if (typeof params !== "object" || params === null || !("sessionId" in params)) return undefined;
  return typeof params.sessionId === "string" ? params.sessionId : undefined;
}

/**
 * Returns the details of an error for the client. They never contain the stack, because it reveals file paths and
 * doesn't help the client's user.
 */
function detailsOf(error: unknown): Record<string, string | number> {
  if (typeof error !== "object" || error === null) return { message: String(error) };
  const { message, name, code } = error as Record<string, unknown>;
  return {
    message: typeof message === "string" ? message : "unknown error",
    ...(typeof name === "string" && name !== "Error" && { name }),
    ...((typeof code === "string" || typeof code === "number") && { code }),
  };
}
