import type { PermissionOption } from "@acp-kit/types";

/** An answer for good: what was asked about, and whether it may go on without asking. */
export interface RememberedPermission {
  /** What the rule is about, such as the name of a tool. */
  readonly scope: string;
  readonly allowed: boolean;
}

/** The answers "always" of one session. They end with it, unless the author keeps them. */
export class PermissionMemory {
  readonly #rules = new Map<string, RememberedPermission>();

  /** The rule for a scope, if the user made one. */
  find(scope: string): RememberedPermission | undefined {
    return this.#rules.get(scope);
  }

  /** Adds a rule: the user's answer, or one that was kept from before. */
  remember(rule: RememberedPermission): void {
    this.#rules.set(rule.scope, rule);
  }

  /** Forgets the rule for a scope, or all. */
  forget(scope?: string): void {
    if (scope === undefined) this.#rules.clear();
    else this.#rules.delete(scope);
  }

  /** All rules, to be shown or kept. */
  get remembered(): readonly RememberedPermission[] {
    return [...this.#rules.values()];
  }
}

/** The four standard kinds, worded for a scope. */
export function permissionOptionsFor(scope: string): PermissionOption[] {
  return [
    { optionId: "allow_once", name: "Allow", kind: "allow_once" },
    { optionId: "allow_always", name: `Always allow ${scope} in this session`, kind: "allow_always" },
    { optionId: "reject_once", name: "Reject", kind: "reject_once" },
    { optionId: "reject_always", name: `Always reject ${scope} in this session`, kind: "reject_always" },
  ];
}
