/** A tenant and a user. */
interface Scope {
  readonly tenant: string;
  readonly user: string;
}

/**
 * Returns the scope of a principal from its label: the name of the tenant, or `mate` for a second user of the tenant
 * `acme`.
 */
export function scopeOf(label: string): Scope {
  return label === "mate" ? { tenant: "acme", user: "v" } : { tenant: label, user: "u" };
}

export function labelOf({ tenant, user }: Scope): string {
  return user === "v" ? "mate" : tenant;
}
