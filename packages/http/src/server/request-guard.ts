import { checkOptions } from "@acp-kit/jsonrpc/internal";
import { Access } from "./access.js";
import { withQuietErrors } from "./error-listener.js";
import type { HttpReply } from "./exchange.js";
import { FetchExchange, toResponse } from "./fetch-exchange.js";
import { type AcpHandlerOptions, acpHandlerKinds } from "./handler-options.js";
import type { Principal } from "./principal.js";
import { Refusal, replyToError } from "./refusal.js";

/** Handles a request on behalf of its principal. The handler may throw a {@link Refusal}. */
export type GuardedHandler<P extends Principal = Principal> = (request: Request, principal: P) => Promise<Response>;

/**
 * Creates a function that protects other paths of a server in the same way as the agent's path: checks `Host`, then
 * `Origin`, then the credentials, and adds CORS headers for listed origins. The returned function never rejects. It
 * refuses requests with other methods than GET, HEAD and OPTIONS with the status 405.
 *
 * @throws {TypeError} when the options would open the server to other machines without authentication, unless they
 * allow this explicitly.
 */
export function createGuard<P extends Principal = Principal>(
  given: AcpHandlerOptions<P>,
): (request: Request, handle: GuardedHandler<P>) => Promise<Response> {
  checkOptions("createGuard", given, acpHandlerKinds);
  const options = withQuietErrors(given);
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
