import { shareOf } from "@acp-kit/jsonrpc/internal";
import { type GatewayPrincipal, principalName } from "./principal.js";

/**
 * Counts the connections, journals or similar objects of each principal. Every principal has the same limit, and every
 * observer half of it.
 */
export class PrincipalCounts {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Counts one object. Returns a function that the caller calls once, when the object is gone. Returns `undefined` if
   * the principal has reached the limit.
   */
  take(principal: GatewayPrincipal): (() => void) | undefined {
    const name = principalName(principal);
    const count = this.#counts.get(name) ?? 0;
    if (count >= shareOf(principal.access, this.#max)) return undefined;
    this.#counts.set(name, count + 1);
    return () => {
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left === 0) this.#counts.delete(name);
      else this.#counts.set(name, left);
    };
  }
}
