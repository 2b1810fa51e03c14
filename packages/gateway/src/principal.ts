import type { Scope, SessionKey } from "./engine/session-record.js";

/** The authenticated caller on whose behalf a connection acts. A session belongs to one `tenant` and `user`. */
export interface Principal extends Scope {
  /** `"observe"`: may list, load and resume sessions, and changes nothing. Default `"full"`. */
  readonly access?: "full" | "observe";
}

/** The part of a principal that sessions belong to. */
export function scopeOf({ tenant, user }: Scope): Scope {
  return { tenant, user };
}

/** A name for maps: no two scopes have the same. */
export function scopeName({ tenant, user }: Scope): string {
  return JSON.stringify([tenant, user]);
}

/** A name for maps: no two keys have the same. */
export function keyName({ scope: { tenant, user }, sessionId }: SessionKey): string {
  return JSON.stringify([tenant, user, sessionId]);
}
