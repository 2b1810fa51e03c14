import type { FallbackRoutes, NotificationHandler, RequestHandler, Route } from "./handlers.js";
import type { IncomingRequest } from "./incoming-request.js";
import { isThenable } from "./is-thenable.js";
import type { NotificationMessage } from "./message.js";
import type { Observers } from "./observers.js";
import type { Responses } from "./responses.js";
import { methodNotFound, requestCancelled } from "./rpc-error.js";

/**
 * Looks up the handler of a method, runs the handler, and sends the outcome as a response or reports the outcome as a
 * diagnostic. No method of this class throws.
 */
export class Dispatch {
  readonly requests: Map<string, Route<RequestHandler>> = new Map();
  readonly notifications: Map<string, Route<NotificationHandler>> = new Map();
  readonly #fallback: FallbackRoutes | undefined;
  readonly #responses: Responses;
  readonly #observers: Observers;

  constructor(fallback: FallbackRoutes | undefined, responses: Responses, observers: Observers) {
    this.#fallback = fallback;
    this.#responses = responses;
    this.#observers = observers;
  }

  /** Runs the handler of a notification. Returns its promise, if any; if that rejects, call {@link failed}. */
  notify(notification: NotificationMessage, size: number): Promise<unknown> | undefined {
    const { method, params } = notification;
    try {
      const route = this.notifications.get(method) ?? this.#fallback?.notification?.(method);
      if (route === undefined) {
        this.#observers.report({
          code: "unknown_notification",
          message: `No handler is registered for ${method}`,
          method,
        });
        return undefined;
      }
      const { decode } = route;
      let decoded = params;
      if (decode !== undefined) {
        try {
          decoded = decode(params);
        } catch (cause) {
          const message = `${method} was dropped: ${cause instanceof Error ? cause.message : String(cause)}`;
          this.#observers.report({ code: "invalid_params", message, method, cause });
          return undefined;
        }
      }
      const running = route.handler(decoded, size);
      return isThenable(running) ? Promise.resolve(running) : undefined;
    } catch (cause) {
      this.failed(notification, cause);
      return undefined;
    }
  }

  /** Reports the error of a notification's handler as a diagnostic, because no caller waits for the handler. */
  failed({ method }: NotificationMessage, cause: unknown): void {
    this.#observers.report({ code: "handler_failed", message: `The handler of ${method} failed`, method, cause });
  }

  /** Runs the handler of a request and sends a response with its result or its error. */
  handle(request: IncomingRequest): void {
    if (request.hasResponse) return; // the request was cancelled before its handler started
    request.started = true;
    const { method, params } = request;
    const responses = this.#responses;
    try {
      const route = this.requests.get(method) ?? this.#fallback?.request?.(method);
      if (route === undefined) throw methodNotFound(method);
      if (request.aborted) throw requestCancelled();
      const { decode } = route;
      const result = route.handler(decode === undefined ? params : decode(params), request);
      if (isThenable(result)) {
        Promise.resolve(result).then(
          (value) => responses.result(request, value),
          (error: unknown) => responses.error(request, error),
        );
      } else {
        responses.result(request, result);
      }
    } catch (error) {
      responses.error(request, error);
    }
  }
}
