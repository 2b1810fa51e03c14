import { tokenOfProtocols } from "../wire/token-protocols.js";

/** The authenticated user or program that sends a request. Every look-up of a connection requires its principal. */
export interface Principal {
  /** The organisation of the user, if the server has users of several organisations. */
  readonly tenant?: string;
  /** The name of the user, unique within the tenant and the same for each request. */
  readonly user: string;
  /**
   * `"observe"`: the caller may only read. The server separates it from the same user with full access: it finds none
   * of that user's connections, and has limits of its own, which are half as high. Agents decide what it may do; those
   * of `@acp-kit/gateway` do. Default `"full"`.
   */
  readonly access?: "full" | "observe";
}

/** The principal of a server without authentication. */
export const anonymous: Principal = { user: "" };

/**
 * Authenticates a request: returns its principal, or `undefined` to refuse the request with 401. The function can't
 * read the body of the request.
 *
 * If the function throws, the request is refused with 500, and `onError` receives the error.
 */
export type Authenticate<P extends Principal = Principal> = (
  request: Request,
) => P | undefined | PromiseLike<P | undefined>;

/** Returns a text that is unique to a principal and its access, for look-ups. */
export function principalKey({ tenant = "", user, access = "full" }: Principal): string {
  return JSON.stringify([tenant, user, access]);
}

/** Returns a request's credential: a bearer token, an `x-api-key`, or the token of a WebSocket upgrade. */
export function tokenOf(request: Request): string | undefined {
  const authorization = request.headers.get("authorization");
  if (authorization !== null && /^bearer /i.test(authorization)) return authorization.slice(7).trim();
  return request.headers.get("x-api-key") ?? tokenOfProtocols(request.headers.get("sec-websocket-protocol"));
}

/**
 * Creates an `authenticate` function for fixed tokens, sent as bearer token or `x-api-key`. Each token belongs to a
 * principal. Tokens are compared in constant time.
 *
 * @throws {TypeError} when there is no token, or an empty one.
 */
export function tokenAuthentication<P extends Principal = Principal>(
  tokens: string | ReadonlyMap<string, P>,
): Authenticate<P | Principal> {
  const entries: [string, P | Principal][] = typeof tokens === "string" ? [[tokens, { user: "token" }]] : [...tokens];
  if (entries.length === 0 || entries.some(([token]) => token === "")) {
    throw new TypeError("tokenAuthentication: a token must not be empty.");
  }
  return async (request) => {
    const given = tokenOf(request);
    if (given === undefined) return undefined;
    const digest = await sha256(given);
    let principal: P | Principal | undefined;
    for (const [token, owner] of entries) {
      // No early exit: the time must depend only on the number of tokens
      if (equal(digest, await sha256(token))) principal = owner;
    }
    return principal;
  };
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}
