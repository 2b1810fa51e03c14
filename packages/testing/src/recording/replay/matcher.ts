import type { IdMap } from "./id-map.js";
import { type Change, type Comparison, compare } from "./meaning.js";
import type { Step } from "./step.js";

/** A recorded message that was found for a live message. */
export interface Match {
  readonly step: Step;
  readonly changes: readonly Change[];
}

/** Finds the recorded counterpart of a live request or notification: by method and meaning, not by position. */
export class Matcher {
  readonly #ids: IdMap;
  readonly #expected = new Map<string, Step[]>();

  constructor(steps: readonly Step[], ids: IdMap) {
    this.#ids = ids;
    for (const step of steps) {
      if (step.ours || step.kind === "response") continue;
      const key = keyOf(step.kind, step.method, step.message.params);
      const same = this.#expected.get(key) ?? [];
      this.#expected.set(key, same);
      same.push(step);
    }
  }

  /**
   * Finds the recorded message with the same meaning or, unless `strict` is true, the most similar message. Returns
   * `undefined` if there is no such message. From then on, the ids of the live and the recorded message correspond.
   */
  take(kind: Step["kind"], method: string, params: unknown, strict: boolean): Match | undefined {
    const same = this.#expected.get(keyOf(kind, method, params)) ?? [];
    let best: { readonly step: Step; readonly comparison: Comparison; readonly distance: number } | undefined;
    for (const step of same.slice(0, MOST_CANDIDATES)) {
      const comparison = this.#compare(step, params);
      const distance = distanceOf(comparison);
      if (best === undefined || distance < best.distance) best = { step, comparison, distance };
      if (distance === 0) break;
    }
    if (best === undefined || (strict && best.distance > 0)) return undefined;
    same.splice(same.indexOf(best.step), 1);
    for (const binding of best.comparison.bindings) this.#ids.bind(binding);
    return { step: best.step, changes: best.comparison.changes };
  }

  /** Returns the first unmatched message of the same kind and method, to show how a message differs from it. */
  closest(kind: Step["kind"], method: string, params: unknown): Match | undefined {
    const [step] = this.#expected.get(keyOf(kind, method, params)) ?? [];
    return step && { step, changes: this.#compare(step, params).changes };
  }

  #compare(step: Step, params: unknown): Comparison {
    if (step.leftOut) return { changes: [], bindings: [] };
    return compare(step.message.params, params, this.#ids, "params");
  }
}

/**
 * The maximum number of steps that are compared with one message. It is higher than the usual number of open requests,
 * and low enough that a stream of ten thousand updates stays fast.
 */
const MOST_CANDIDATES = 50;

/**
 * Returns the number of differences between two messages. A different session counts as a thousand differences, so that
 * the closest message is one of the same session.
 */
function distanceOf({ changes }: Comparison): number {
  return changes.reduce((sum, { path }) => sum + (path === "params.sessionId" ? 1_000 : 1), 0);
}

/** Returns a key that is equal for messages that may match. Updates of different kinds or states never match. */
function keyOf(kind: Step["kind"], method: string, params: unknown): string {
  type Update = { readonly sessionUpdate?: unknown; readonly state?: unknown };
  const { sessionUpdate, state } = (params as { readonly update?: Update } | null | undefined)?.update ?? {};
  const about = sessionUpdate === "state_update" ? [sessionUpdate, state] : [sessionUpdate];
  return [kind, method, ...about.filter((part) => typeof part === "string")].join(" ");
}
