import type { PermissionOption } from "@acp-kit/types";

/** A remembered choice: whether calls of a scope may run without prompting the user again. */
export interface RememberedPermission {
  /** The calls that it applies to, such as the name of a tool. */
  readonly scope: string;
  readonly allowed: boolean;
}

/** The choices "always" of one session. They are gone when the session ends, unless the author stores them. */
export class PermissionMemory {
  readonly #rules = new Map<string, RememberedPermission>();

  /** The remembered choice for a scope, if there is one. */
  find(scope: string): RememberedPermission | undefined {
    return this.#rules.get(scope);
  }

  /** Adds a choice: the user's, or a stored one. */
  remember(rule: RememberedPermission): void {
    this.#rules.set(rule.scope, rule);
  }

  /** Removes the choice for a scope, or all. */
  forget(scope?: string): void {
    if (scope === undefined) this.#rules.clear();
    else this.#rules.delete(scope);
  }

  /** All remembered choices, to show or store them. */
  get remembered(): readonly RememberedPermission[] {
    return [...this.#rules.values()];
  }
}

/** Creates options of the four standard kinds, with names for a scope. */
export function permissionOptionsFor(scope: string): PermissionOption[] {
  return [
    { optionId: "allow_once", name: "Allow", kind: "allow_once" },
    { optionId: "allow_always", name: `Always allow ${scope} in this session`, kind: "allow_always" },
    { optionId: "reject_once", name: "Reject", kind: "reject_once" },
    { optionId: "reject_always", name: `Always reject ${scope} in this session`, kind: "reject_always" },
  ];
}
