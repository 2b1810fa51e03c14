import type { RequestContext } from "./incoming-request.js";

/**
 * Answers a request: what it returns is the `result` (`undefined` becomes `null`), an `RpcError` it throws is the `error`,
 * anything else it throws is answered as `-32603` without details.
 */
export type RequestHandler = (params: unknown, context: RequestContext) => unknown;

/**
 * Takes a notification. Returning a promise holds back what came after it in the same lane (see `orderBy`) until it settles.
 * `size` is the message's size in bytes, or 0 where it has none.
 */
export type NotificationHandler = (params: unknown, size: number) => unknown;

/** Reads params before the handler sees them. Throws an `RpcError` (usually `-32602`) when they are not what the method takes. */
export type ParamsDecoder = (params: unknown) => unknown;

/** A handler and how its params are read. */
export interface Route<Handler> {
  readonly handler: Handler;
  readonly decode?: ParamsDecoder | undefined;
}

/** Handlers for methods that have none of their own: extension methods, proxies. Return `undefined` to leave the method unknown. */
export interface FallbackRoutes {
  readonly request?: (method: string) => Route<RequestHandler> | undefined;
  readonly notification?: (method: string) => Route<NotificationHandler> | undefined;
}
