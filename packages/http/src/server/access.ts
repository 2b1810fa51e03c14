import { headerNames, standardHeaders } from "../wire/header-names.js";
import type { HttpExchange } from "./exchange.js";
import type { AcpHandlerOptions } from "./handler-options.js";
import { anonymous, type Principal } from "./principal.js";
import { Refusal } from "./refusal.js";

/** Decides who may use the server: checks `Host`, then `Origin`, then the credentials of every request. */
export class Access<P extends Principal> {
  readonly #hosts: ReadonlySet<string> | "any";
  readonly #origins: ReadonlySet<string>;
  readonly #options: AcpHandlerOptions<P>;

  /**
   * @throws {TypeError} when the options would open the server to other machines without authentication, unless they
   * allow this explicitly.
   */
  constructor(options: AcpHandlerOptions<P>) {
    const { allowedHosts, allowedOrigins = [], authenticate } = options;
    const isOpen = allowedHosts === "any" || allowedHosts?.some((host) => !isLoopback(hostName(host)));
    if (isOpen && authenticate === undefined) {
      throw new TypeError(
        'A server for other hosts than loopback needs `authenticate`. Set it, or set it to "none" to accept every caller.',
      );
    }
    this.#options = options;
    this.#hosts = allowedHosts === "any" ? "any" : new Set((allowedHosts ?? loopbackHosts).map(normalHost));
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, "")));
  }

  /**
   * Checks `Host` and `Origin`.
   *
   * @throws {Refusal} 403
   */
  checkSource(exchange: HttpExchange): void {
    const host = normalHost(exchange.header("host") ?? exchange.header(":authority") ?? "");
    if (this.#hosts !== "any" && !this.#hosts.has(host) && !this.#hosts.has(hostName(host))) {
      throw new Refusal(
        403,
        `The host ${JSON.stringify(host.slice(0, 100))} is not among the allowed hosts of this server.`,
      );
    }
    const origin = exchange.header("origin");
    if (origin === null || this.#isListed(origin) || isSameOrigin(origin, host)) return;
    throw new Refusal(
      403,
      `The origin ${JSON.stringify(origin.slice(0, 100))} is not among the allowed origins of this server.`,
    );
  }

  /**
   * Authenticates a request.
   *
   * @throws {Refusal} 401 when `authenticate` returns no principal; 500 when it throws.
   */
  async authenticate(exchange: HttpExchange): Promise<P> {
    const { authenticate, onError } = this.#options;
    if (authenticate === undefined || authenticate === "none") return anonymous as P;
    let principal: P | undefined;
    try {
      principal = await authenticate(exchange.toRequest());
    } catch (error) {
      onError?.(error);
      throw new Refusal(500, "The server failed to authenticate the request.", { code: -32_603 });
    }
    if (principal !== undefined && principal !== null) return principal;
    throw new Refusal(401, "The request is not authenticated: send a valid token.", {
      code: -32_000,
      headers: { "www-authenticate": "Bearer" },
    });
  }

  /** Whether every caller has the same principal, so that no asynchronous authentication is needed. */
  get isAnonymous(): boolean {
    const { authenticate } = this.#options;
    return authenticate === undefined || authenticate === "none";
  }

  /** Returns the CORS headers of a response to a web page whose origin is among `allowedOrigins`. */
  corsHeaders(exchange: HttpExchange): Readonly<Record<string, string>> {
    const origin = exchange.header("origin");
    if (origin === null || !this.#isListed(origin)) return {};
    return {
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": [
        headerNames.connection,
        headerNames.session,
        standardHeaders.idempotencyKey,
        "retry-after", // the client repeats a POST only if it can read this header
      ].join(", "),
      vary: "Origin",
    };
  }

  /** Returns the headers of the response to a preflight request. */
  preflightHeaders(exchange: HttpExchange): Readonly<Record<string, string>> {
    return {
      ...this.corsHeaders(exchange),
      "access-control-allow-methods": "POST, GET, DELETE",
      "access-control-allow-headers": [
        "content-type",
        "authorization",
        "x-api-key",
        "if-none-match",
        ...Object.values(headerNames),
        ...Object.values(standardHeaders),
      ].join(", "),
      "access-control-max-age": "600",
    };
  }

  #isListed(origin: string): boolean {
    return this.#origins.has(origin.toLowerCase());
  }
}

/** The hosts that a server accepts by default. */
export const loopbackHosts: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Returns whether a host name or address is a loopback address, which only programs of this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function normalHost(host: string): string {
  return host.trim().toLowerCase();
}

function hostName(host: string): string {
  return host.replace(/:\d*$/, "");
}

function isSameOrigin(origin: string, host: string): boolean {
  const scheme = origin.indexOf("://");
  return scheme !== -1 && origin.slice(scheme + 3).toLowerCase() === host;
}
