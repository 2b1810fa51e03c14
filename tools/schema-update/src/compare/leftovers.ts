import type { Branch, Shape } from "../normalize/shape.js";
import { type Place, report } from "./comparison.js";
import { describe } from "./describe.js";

interface Leftovers {
  readonly before: Shape;
  readonly after: Shape;
  /** Branches of the old file without a counterpart in the new file. */
  readonly gone: readonly Branch[];
  readonly fresh: readonly Branch[];
  /** Whether every value was, or is, valid. */
  readonly openBefore: boolean;
  readonly openAfter: boolean;
}

/** Reports the types that were added or removed at a place: `null`, another type, or "any value". */
export function reportLeftovers(place: Place, { before, after, gone, fresh, openBefore, openAfter }: Leftovers): void {
  const has = (branches: readonly Branch[], kind: "null" | "any"): boolean =>
    branches.some((branch) => branch.kind === kind);
  const only = (shape: Shape, branches: readonly Branch[]): Shape => ({
    ...shape,
    branches: branches.filter(({ kind }) => kind !== "null" && kind !== "any"),
  });
  const lost = only(before, gone);
  const won = only(after, fresh);

  if (openBefore && !openAfter) {
    if (isMeta(place, after))
      report(place, {
        code: "annotation",
        effect: "annotation",
        what: "is described as an object now; by convention it always was one",
      });
    else
      report(place, { code: "type-changed", effect: "narrowed", after, what: `is ${describe(after)}, was any value` });
    return;
  }
  if (openAfter && !openBefore) {
    report(place, {
      code: "type-changed",
      effect: "widened",
      before,
      what: `may be any value now, was ${describe(before)}`,
    });
    return;
  }
  if (openBefore) {
    // Every value was valid and is still valid. Other alternatives beside "any value" are only documentation.
    if (won.branches.length > 0)
      report(place, {
        code: "type-added",
        effect: "known",
        after: won,
        what: `names the form ${describe(won)}; any value stays valid`,
      });
    if (lost.branches.length > 0)
      report(place, {
        code: "type-removed",
        effect: "lost",
        before: lost,
        what: `no longer names the form ${describe(lost)}; any value stays valid`,
      });
    return;
  }
  if (has(gone, "null")) {
    report(place, {
      code: "null-removed",
      effect: "narrowed",
      what: "may no longer be `null`",
      demand: (who) => `${who.writers} must not send it`,
    });
  }
  if (has(fresh, "null")) {
    const forgiven = before.notes.get("x-deserialize-default-on-null") === true;
    report(forgiven ? { ...place, lenient: true } : place, {
      code: "null-added",
      effect: "widened",
      what: "may be `null` now",
    });
  }
  if (lost.branches.length > 0 && won.branches.length > 0) {
    report(place, {
      code: "type-changed",
      effect: "replaced",
      before: lost,
      after: won,
      what: `is ${describe(won)}, was ${describe(lost)}`,
    });
  } else if (lost.branches.length > 0) {
    report(place, {
      code: "type-removed",
      effect: "narrowed",
      before: lost,
      what: `may no longer be ${describe(lost)}`,
      demand: (who) => `${who.writers} must not send it`,
    });
  } else if (won.branches.length > 0) {
    report(place, {
      code: "type-added",
      effect: "widened",
      after: won,
      novelty: { name: describe(won), doc: won.branches[0]?.doc },
      what: `may also be ${describe(won)} now`,
    });
  }
}

/** Whether the place is `_meta`. For a year, the schema described `_meta` as `{}`, and then as a map. */
function isMeta(place: Place, after: Shape): boolean {
  return place.path.endsWith("._meta") && after.branches.every(({ kind }) => kind === "object" || kind === "null");
}
