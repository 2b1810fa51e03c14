import { sameJson } from "../normalize/json.js";
import type { Model } from "../normalize/model.js";
import { type ArrayBranch, anything, type Branch, type ScalarBranch, type Shape } from "../normalize/shape.js";
import { compareConstraints } from "./compare-constraints.js";
import { compareOrder } from "./compare-order.js";
import { compareScalars } from "./compare-scalars.js";
import { compareUnions } from "./compare-unions.js";
import { at, type Comparison, type Place, report } from "./comparison.js";
import { describe, describeBranch } from "./describe.js";
import { type Resolved, resolve, resolveBranch } from "./effective.js";
import { isExclusive } from "./exclusive.js";
import { reportLeftovers } from "./leftovers.js";
import { linkReferences } from "./link-references.js";
import { compareWords } from "./words.js";

/** Compares the values that are valid at one place in the two files, and their descriptions. */
export function compareShapes(comparison: Comparison, place: Place, a: Shape, b: Shape): void {
  compareWords(place, "", a, b);
  compareKeywords(comparison, place, a, b);
  if (a.branches.length > 1 && b.branches.length > 1) compareOrder(comparison, place, a, b);
  const left = [...a.branches];
  const right = [...b.branches];
  linkReferences(comparison, place, left, right);
  if (left.length === 0 && right.length === 0) return;
  compareBranches(comparison, place, a, b, left, right);
}

/** Compares whether a value that matches several branches is valid. */
function compareKeywords(comparison: Comparison, place: Place, a: Shape, b: Shape): void {
  if (a.branches.length < 2 || b.branches.length < 2) return;
  const exclusive = { before: isExclusive(comparison.before, a), after: isExclusive(comparison.after, b) };
  if (exclusive.before !== exclusive.after) {
    report(place, {
      code: "exclusive",
      effect: exclusive.after ? "narrowed" : "widened",
      what: exclusive.after
        ? "must match exactly one of its forms now (`oneOf`, was `anyOf`)"
        : "may match several of its forms now (`anyOf`, was `oneOf`)",
    });
  }
}

function compareBranches(
  comparison: Comparison,
  place: Place,
  a: Shape,
  b: Shape,
  left: readonly Branch[],
  right: readonly Branch[],
): void {
  const before = left.flatMap((branch) => expand(comparison, "before", place, branch));
  const after = right.flatMap((branch) => expand(comparison, "after", place, branch));
  const inside = {
    ...place,
    expanding: [...place.expanding, ...followed("before", before), ...followed("after", after)],
  };
  const gone = new Set(before);
  const fresh = new Set(after);
  const match = (fits: (x: Branch, y: Branch) => boolean, compare: (x: Branch, y: Branch) => void): void => {
    for (const x of gone) {
      const y = [...fresh].find((one) => fits(x.branch, one.branch));
      if (y === undefined) continue;
      gone.delete(x);
      fresh.delete(y);
      compareWords(place, stepTo(y.branch), x.branch, y.branch);
      compare(x.branch, y.branch);
    }
  };
  match(
    (x, y) => x.kind === y.kind && (x.kind === "any" || x.kind === "null"),
    () => undefined,
  );
  match(
    (x, y) => x.kind === "opaque" && y.kind === "opaque" && sameJson(x.json, y.json),
    () => undefined,
  );
  match(
    (x, y) => x.kind === "boolean" && y.kind === "boolean",
    (x, y) => compareBooleans(place, x, y),
  );
  const scalars = (x: Branch, y: Branch): void => {
    if (isScalar(x) && isScalar(y)) compareScalars(place, x, y);
  };
  match((x, y) => isScalar(x) && x.kind === y.kind, scalars);
  match((x, y) => isNumeric(x) && isNumeric(y), scalars);
  const severalArrays = [...gone].filter(({ branch }) => branch.kind === "array").length > 1;
  for (const fits of arrayLikeness) {
    match(
      (x, y) => x.kind === "array" && y.kind === "array" && fits(x, y),
      (x, y) => {
        if (x.kind === "array" && y.kind === "array")
          compareArrays(comparison, severalArrays ? at(inside, stepTo(y)) : inside, x, y);
      },
    );
  }
  compareObjectBranches(comparison, inside, a, b, gone, fresh);
  const openBefore = isOpen(comparison.before, a);
  const openAfter = isOpen(comparison.after, b);
  const rest = (set: Set<Resolved>): readonly Branch[] => [...set].map(({ branch }) => branch);
  if (gone.size > 0 || fresh.size > 0 || openBefore !== openAfter) {
    reportLeftovers(place, { before: a, after: b, gone: rest(gone), fresh: rest(fresh), openBefore, openAfter });
  }
}

/** Compares the remaining objects as a union. Variants that are already linked help to find the tag. */
function compareObjectBranches(
  comparison: Comparison,
  place: Place,
  a: Shape,
  b: Shape,
  gone: Set<Resolved>,
  fresh: Set<Resolved>,
): void {
  const objects = (resolved: Iterable<Resolved>): Resolved[] =>
    [...resolved].filter(({ branch }) => branch.kind === "object");
  const all = { before: objects(resolve(comparison.before, a)), after: objects(resolve(comparison.after, b)) };
  if (all.before.length === 0 || all.after.length === 0) return;
  const left = objects(gone);
  const right = objects(fresh);
  for (const one of left) gone.delete(one);
  for (const one of right) fresh.delete(one);
  if (left.length + right.length > 0) compareUnions(comparison, place, { left, right, all });
}

function followed(side: string, resolved: readonly Resolved[]): string[] {
  return resolved.flatMap(({ via }) => via.map((name) => `${side} ${name}`));
}

/** Resolves a reference, unless it leads back to itself. */
function expand(comparison: Comparison, side: "before" | "after", place: Place, branch: Branch): readonly Resolved[] {
  if (branch.kind === "ref") {
    if (place.expanding.filter((one) => one === `${side} ${branch.name}`).length > 1) return [];
    (side === "before" ? comparison.dissolved : comparison.extracted).add(branch.name);
  }
  return resolveBranch(comparison[side], branch);
}

/** Returns the name of a branch in a path, if there are several branches. */
function stepTo(branch: Branch): string {
  if (isScalar(branch) && branch.values.size > 0) return "(other)";
  return `(${branch.title ?? describeBranch(branch).replaceAll("`", "")})`;
}

function isOpen(model: Model, shape: Shape): boolean {
  return resolve(model, shape).some(({ branch }) => branch.kind === "any");
}

function compareBooleans(place: Place, a: Branch, b: Branch): void {
  if (a.kind !== "boolean" || b.kind !== "boolean") return;
  const values = (branch: typeof a): readonly boolean[] => [...(branch.values ?? [true, false])].sort();
  if (sameJson(values(a), values(b))) return;
  const gone = values(a).some((value) => !values(b).includes(value));
  const fresh = values(b).some((value) => !values(a).includes(value));
  report(place, {
    code: "type-changed",
    effect: gone && fresh ? "replaced" : gone ? "narrowed" : "widened",
    what: `is ${describeBranch(b)}, was ${describeBranch(a)}`,
  });
}

const arrayLikeness: readonly ((x: ArrayBranch, y: ArrayBranch) => boolean)[] = [
  (x, y) => x.title !== undefined && x.title === y.title,
  (x, y) => x.items !== undefined && y.items !== undefined && describe(x.items) === describe(y.items),
  () => true,
];

function compareArrays(comparison: Comparison, place: Place, a: ArrayBranch, b: ArrayBranch): void {
  compareConstraints(place, "array", a.constraints, b.constraints);
  compareShapes(comparison, at(place, "[]"), a.items ?? anything, b.items ?? anything);
}

function isScalar(branch: Branch): branch is ScalarBranch {
  return branch.kind === "string" || branch.kind === "integer" || branch.kind === "number";
}

function isNumeric(branch: Branch): boolean {
  return branch.kind === "integer" || branch.kind === "number";
}
