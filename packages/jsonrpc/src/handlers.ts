import type { RequestContext } from "./incoming-request.js";

/**
 * Handles a request. What it returns is the `result` (`undefined` becomes `null`); an `RpcError` it throws is the `error`; any
 * other error becomes `-32603` without details.
 */
export type RequestHandler = (params: unknown, context: RequestContext) => unknown;

/**
 * Handles a notification. A returned promise blocks the messages after it in the same lane (see `orderBy`) until it settles.
 * `size` is the message's size in bytes, or 0 for a message without one.
 */
export type NotificationHandler = (params: unknown, size: number) => unknown;

/** Decodes params before the handler runs. Throws an `RpcError` (usually `-32602`) when they are not valid for the method. */
export type ParamsDecoder = (params: unknown) => unknown;

/** A handler and the decoder of its params. */
export interface Route<Handler> {
  readonly handler: Handler;
  readonly decode?: ParamsDecoder | undefined;
}

/** Handles methods without a handler of their own: extension methods, proxies. Return `undefined` to treat the method as unknown. */
export interface FallbackRoutes {
  readonly request?: (method: string) => Route<RequestHandler> | undefined;
  readonly notification?: (method: string) => Route<NotificationHandler> | undefined;
}
