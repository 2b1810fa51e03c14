import type { Scope, SessionKey } from "./engine/session-record.js";

/** The authenticated caller on whose behalf a connection acts. A session belongs to one `tenant` and `user`. */
export interface GatewayPrincipal extends Scope {
  /**
   * `"observe"`: the principal may list, load and resume sessions, but change nothing. `"full"`: it may do everything.
   * Default `"full"`.
   */
  readonly access?: "full" | "observe";
}

/** Returns the scope of a principal: the tenant and user to whom sessions belong. */
export function scopeOf({ tenant, user }: Scope): Scope {
  return { tenant, user };
}

/** Returns the key of a scope in maps. Different scopes have different keys. */
export function scopeName({ tenant, user }: Scope): string {
  return JSON.stringify([tenant, user]);
}

/** Returns the key of a principal in maps. A user's observers and the user with full access have different keys. */
export function principalName({ access = "full", ...scope }: GatewayPrincipal): string {
  return `${access}${scopeName(scope)}`;
}

/**
 * Returns the key of a session in maps. Different sessions have different keys, because the key contains the lengths of
 * its parts.
 */
export function keyName({ scope: { tenant, user }, sessionId }: SessionKey): string {
  return `${tenant.length}:${user.length}:${tenant}${user}${sessionId}`;
}
