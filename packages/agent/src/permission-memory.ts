import { shorten } from "@acp-kit/protocol/internal";
import type { PermissionOption } from "@acp-kit/types";

/** A decision of "always" by the user: whether all tool calls of a scope are allowed, or all are rejected. */
export interface RememberedPermission {
  /**
   * The tool calls to which the decision applies, as `turn.permit` describes them: the tool with its complete input, or
   * its paths.
   */
  readonly scope: string;
  readonly allowed: boolean;
}

/**
 * The user's decisions of "always" in one session. These decisions are lost when the session ends, unless the agent
 * stores them.
 */
export class PermissionMemory {
  readonly #rules = new Map<string, RememberedPermission>();

  /** Returns the remembered decision for a scope, or `undefined`. */
  find(scope: string): RememberedPermission | undefined {
    return this.#rules.get(scope);
  }

  /** Adds a decision of the user, or a decision that the agent stored earlier. */
  remember(rule: RememberedPermission): void {
    this.#rules.set(rule.scope, rule);
  }

  /** Removes the remembered decision for a scope, or all decisions. */
  forget(scope?: string): void {
    if (scope === undefined) this.#rules.clear();
    else this.#rules.delete(scope);
  }

  /** All remembered decisions, to show or store them. */
  get remembered(): readonly RememberedPermission[] {
    return [...this.#rules.values()];
  }
}

/** Creates permission options of the four standard kinds, with names that contain the scope, shortened. */
export function permissionOptionsFor(scope: string): PermissionOption[] {
  const shown = shorten(scope);
  return [
    { optionId: "allow_once", name: "Allow", kind: "allow_once" },
    { optionId: "allow_always", name: `Always allow ${shown} in this session`, kind: "allow_always" },
    { optionId: "reject_once", name: "Reject", kind: "reject_once" },
    { optionId: "reject_always", name: `Always reject ${shown} in this session`, kind: "reject_always" },
  ];
}
