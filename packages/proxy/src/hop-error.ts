import { isRpcError, JsonRpcErrorCode, RpcError } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";

/** The member of an error's `data` that names the ACP proxy that made the error. */
export const HOP = "acp-kit/hop";

/**
 * Why an ACP proxy made an error: `refused`, its interceptor decided so; `proxy_failed`, its interceptor threw or the
 * proxy can't do what it advertises; `version`, the agent chose a version of the protocol that it does not support.
 */
export type HopReason = "refused" | "proxy_failed" | "version";

/** The ACP proxy that made an error. */
export interface Hop {
  readonly name: string;
  /** The position of the proxy in its chain. The proxy next to the client has the index 0. */
  readonly index: number;
  readonly reason: HopReason;
}

/** Returns the ACP proxy that made an error; `undefined` for errors of an agent or a client. */
export function hopOf(error: unknown): Hop | undefined {
  const data = isRpcError(error) ? (error.data as { readonly [HOP]?: Partial<Hop> } | undefined) : undefined;
  const hop = typeof data === "object" && data !== null ? data[HOP] : undefined;
  return typeof hop?.name === "string" && typeof hop.index === "number" && typeof hop.reason === "string"
    ? (hop as Hop)
    : undefined;
}

/**
 * Refuses the message of an interceptor: the sender of a request gets the error `-32602` with this message, and a
 * notification is dropped. The error never shows other details, so write a sentence that the sender may read.
 *
 * @throws {RpcError} always.
 * @example
 * ```ts
 * "fs/write_text_file": ({ params }, next) =>
 *   isInside(params.path) ? next() : refuse("Only files of the repository can be written."),
 * ```
 */
export function refuse(message: string): never {
  throw new RpcError(JsonRpcErrorCode.invalidParams, message);
}

/** Creates the error objects of one ACP proxy. */
export class HopErrors {
  readonly name: string;
  readonly #index: number;

  constructor(name: string, index: number) {
    this.name = name;
    this.#index = index;
  }

  /** Returns an error with the name of the proxy. Members of `data` that the thrown error had are kept. */
  object(code: number, message: string, reason: HopReason, data?: unknown): ErrorObject {
    const hop: Hop = { name: this.name, index: this.#index, reason };
    const other =
      typeof data === "object" && data !== null && !Array.isArray(data) ? data : data === undefined ? {} : { data };
    return { code, message, data: { ...other, [HOP]: hop } };
  }

  /** Returns the error for a value that an interceptor threw. It contains nothing of a value that is no `RpcError`. */
  thrown(error: unknown): ErrorObject {
    if (!isRpcError(error))
      return this.object(JsonRpcErrorCode.internalError, `The ACP proxy "${this.name}" failed`, "proxy_failed");
    const { code, message, data } = error;
    return hopOf(error) === undefined ? this.object(code, message, "refused", data) : { code, message, data };
  }

  methodNotFound(method: string): ErrorObject {
    return this.object(JsonRpcErrorCode.methodNotFound, `Method not found: ${method.slice(0, 200)}`, "refused", {
      method: method.slice(0, 200),
    });
  }
}
