import type { Scope } from "./engine/session-record.js";
import { scopeName } from "./principal.js";

/** How many of something each principal has, up to a limit that is the same for all. */
export class PrincipalCounts {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one more. The returned function, called once, gives it back; `undefined` if the principal has as many as it may. */
  take(scope: Scope): (() => void) | undefined {
    const name = scopeName(scope);
    const count = this.#counts.get(name) ?? 0;
    if (count >= this.#max) return undefined;
    this.#counts.set(name, count + 1);
    return () => {
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left === 0) this.#counts.delete(name);
      else this.#counts.set(name, left);
    };
  }
}
