import { Access } from "./access.js";
import type { HttpReply } from "./exchange.js";
import { FetchExchange, toResponse } from "./fetch-exchange.js";
import type { AcpHandlerOptions } from "./handler-options.js";
import type { Principal } from "./principal.js";
import { Refusal, replyToError } from "./refusal.js";

/** Handles a request on behalf of its principal. It may throw a {@link Refusal}. */
export type GuardedHandler<P extends Principal = Principal> = (request: Request, principal: P) => Promise<Response>;

/**
 * Protects addresses beside the endpoint as the endpoint is protected: `Host`, then `Origin`, then the credentials, with CORS headers for listed
 * origins. The returned function never rejects; it responds to GET, HEAD and OPTIONS alone.
 *
 * @throws {TypeError} when the options open the server beyond this machine without authentication and do not say so.
 */
export function createGuard<P extends Principal = Principal>(
  options: AcpHandlerOptions<P>,
): (request: Request, handle: GuardedHandler<P>) => Promise<Response> {
  const access = new Access(options);
  return async (request, handle) => {
    const exchange = new FetchExchange(request);
    try {
      access.checkSource(exchange);
      if (request.method === "OPTIONS") {
        return toResponse({ status: 204, headers: access.preflightHeaders(exchange), body: undefined });
      }
      if (request.method !== "GET" && request.method !== "HEAD") {
        throw new Refusal(405, `${request.method} is not supported: use GET.`, { headers: { allow: "GET, HEAD" } });
      }
      const response = await handle(request, await access.authenticate(exchange));
      for (const [name, value] of Object.entries(access.corsHeaders(exchange))) response.headers.append(name, value);
      return response;
    } catch (error) {
      if (!(error instanceof Refusal)) options.onError?.(error);
      const reply: HttpReply = replyToError(error);
      return toResponse({ ...reply, headers: { ...reply.headers, ...access.corsHeaders(exchange) } });
    }
  };
}
