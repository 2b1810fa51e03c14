import type { RequestContext } from "./incoming-request.js";

/**
 * A function that handles a request of the peer. The returned value is the `result` of the response (`undefined`
 * becomes `null`). If the function throws an `RpcError`, the peer receives that error; for any other error, it receives
 * `-32603` without details.
 */
export type RequestHandler = (params: unknown, context: RequestContext) => unknown;

/**
 * A function that handles a notification of the peer. If it returns a promise, later messages of the same lane (see
 * `orderBy`) wait for that promise. `size` is the size of the message in bytes, or 0 for a message without a size.
 */
export type NotificationHandler = (params: unknown, size: number) => unknown;

/**
 * A function that checks and converts params before the handler is called. It throws an `RpcError` (usually `-32602`)
 * if the params are not valid for the method.
 */
export type ParamsDecoder = (params: unknown) => unknown;

/** A handler and the decoder of its params. */
export interface Route<Handler> {
  readonly handler: Handler;
  readonly decode?: ParamsDecoder | undefined;
}

/**
 * Functions that return a route for a method without a registered handler. Extensions and proxies use these functions.
 * If a function returns `undefined`, the method is unknown.
 */
export interface FallbackRoutes {
  readonly request?: (method: string) => Route<RequestHandler> | undefined;
  readonly notification?: (method: string) => Route<NotificationHandler> | undefined;
}
