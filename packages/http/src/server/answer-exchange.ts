import type { Access } from "./access.js";
import type { HttpExchange, HttpReply } from "./exchange.js";
import type { Principal } from "./principal.js";
import { Refusal, replyToError } from "./refusal.js";

/** The options of {@link answerExchange}. */
export interface AnswerOptions<P extends Principal> {
  readonly access: Access<P>;
  /** The supported HTTP methods. Any other method gets 405. */
  readonly methods: readonly string[];
  /** Receives every thrown error that is not a {@link Refusal}. */
  readonly onError: ((error: unknown) => void) | undefined;
}

/**
 * Handles one HTTP request: checks `Host` and `Origin`, responds to preflight requests, authenticates, turns an error
 * of `handle` into a reply, and adds the CORS headers. Never rejects.
 */
export async function answerExchange<P extends Principal>(
  exchange: HttpExchange,
  { access, methods, onError }: AnswerOptions<P>,
  handle: (principal: P) => Promise<HttpReply>,
): Promise<HttpReply> {
  let reply: HttpReply;
  try {
    access.checkSource(exchange);
    if (exchange.method === "OPTIONS") {
      return { status: 204, headers: access.preflightHeaders(exchange), body: undefined };
    }
    if (!methods.includes(exchange.method)) throw notSupported(exchange.method, methods);
    reply = await handle(await access.authenticate(exchange));
  } catch (error) {
    if (!(error instanceof Refusal)) onError?.(error);
    reply = replyToError(error);
  }
  return { ...reply, headers: { ...reply.headers, ...access.corsHeaders(exchange) } };
}

function notSupported(method: string, methods: readonly string[]): Refusal {
  return new Refusal(405, `${method} is not supported: use ${methods.join(", ")}.`, {
    headers: { allow: [...methods, "OPTIONS"].join(", ") },
  });
}
