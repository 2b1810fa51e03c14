import { type ObjectBranch, type Shape, shapeOf } from "../normalize/shape.js";
import { compareObjects } from "./compare-objects.js";
import { at, type Comparison, type Place, report } from "./comparison.js";
import { quoteAll } from "./describe.js";
import type { Resolved } from "./effective.js";
import { type Matching, matchObjects } from "./match-objects.js";
import { constantOf, isCatchAll, tagsOf, variantName } from "./tags.js";
import { byTag, hasUnion, type Variant, variantsOf } from "./variants.js";
import { compareWords } from "./words.js";

/** The objects that one place accepts. `all` includes the objects that are already linked. */
export interface ObjectSets {
  readonly left: readonly Resolved[];
  readonly right: readonly Resolved[];
  readonly all: { readonly before: readonly Resolved[]; readonly after: readonly Resolved[] };
}

/** Compares one object with one object, or the variants of two unions. */
export function compareUnions(comparison: Comparison, place: Place, sets: ObjectSets): void {
  const { before, after } = sets.all;
  // One side is an object, the other a union: the object is split into variants, if possible.
  const single = (resolved: readonly Resolved[]): boolean => resolved.length === 1;
  const apart =
    single(before) !== single(after) ||
    (single(before) && hasUnion(comparison.before, before) !== hasUnion(comparison.after, after));
  const read = (side: "before" | "after", resolved: readonly Resolved[]): readonly Variant[] =>
    resolved.flatMap((one) => variantsOf(comparison[side], one, apart && single(sets.all[side])));
  const all = { before: read("before", before), after: read("after", after) };
  const tags = tagsOf(
    all.before.map(({ flat }) => flat),
    all.after.map(({ flat }) => flat),
  );
  const left = byTag(comparison.before, read("before", sets.left), tags.before, all.after.length);
  const right = byTag(comparison.after, read("after", sets.right), tags.after, all.before.length);
  const union = Math.max(all.before.length, left.length) > 1 || Math.max(all.after.length, right.length) > 1;
  const matching = matchObjects(left, right, { tags, union });
  const reported = compareTags(place, matching);
  for (const [a, b] of matching.matched) {
    const step = union ? `(${variantName(b.flat, tags.after, b.via)})` : "";
    if (union) compareWords(place, step, a.branch, b.branch);
    compareObjects(comparison, at(place, step), a.branch, b.branch, {
      catchAll: isCatchAll(a.flat, tags.before),
      reported,
    });
  }
  if (!union) return;
  const open = [...all.before, ...left].some(({ flat }) => isCatchAll(flat, tags.before));
  const stillOpen = [...all.after, ...right].some(({ flat }) => isCatchAll(flat, tags.after));
  for (const variant of matching.removed) reportRemoved(place, matching, variant, stillOpen);
  for (const variant of matching.added) reportAdded(place, matching, variant, open);
  compareReserved(place, matching);
}

/** Reports a renamed tag. Returns the old and the new member, so that they are not reported separately. */
function compareTags(place: Place, { tags, matched }: Matching): ReadonlySet<string> | undefined {
  const { before, after } = tags;
  if (before === undefined || after === undefined || before === after) return undefined;
  const moved = matched.some(
    ([a, b]) => constantOf(a.flat, before) !== undefined && constantOf(b.flat, after) !== undefined,
  );
  if (!moved) return undefined;
  report(place, {
    code: "tag-renamed",
    effect: "replaced",
    what: `is distinguished by \`${after}\`, was \`${before}\``,
  });
  return new Set([before, after]);
}

function reportRemoved(place: Place, { tags, added }: Matching, variant: Variant, stillValid: boolean): void {
  const name = variantName(variant.flat, tags.before, variant.via);
  if (isCatchAll(variant.flat, tags.before)) {
    report(place, {
      code: "closed",
      effect: "narrowed",
      what: "accepts only known variants now",
      demand: (who) => `${who.writers} must not send others`,
    });
    return;
  }
  const heir = samePayload(variant, added);
  report(at(place, `(${name})`), {
    code: "variant-removed",
    effect: "lost",
    before: withOrigin(variant),
    what: `was removed${heir === undefined ? "" : ` (\`${variantName(heir.flat, tags.after, heir.via)}\` has the same payload now)`}${stillValid ? "; it stays valid as an unknown variant" : ""}`,
    demand: (who) =>
      stillValid ? `${who.readers} need not understand it any more` : `${who.writers} must not send it`,
  });
}

/** A variant with the names of the definitions that it was composed of. */
function withOrigin({ branch, via }: Variant): Shape {
  return shapeOf(branch, ...via.map((name) => ({ kind: "ref" as const, name })));
}

function samePayload(variant: Variant, others: readonly Variant[]): Variant | undefined {
  const payload = (object: ObjectBranch): string | undefined =>
    object.parts.flatMap((part) => (part.kind === "ref" ? [part.name] : []))[0];
  const name = payload(variant.branch);
  return name === undefined ? undefined : others.find(({ branch }) => payload(branch) === name);
}

function reportAdded(place: Place, { tags }: Matching, variant: Variant, open: boolean): void {
  const name = variantName(variant.flat, tags.after, variant.via);
  if (isCatchAll(variant.flat, tags.after)) {
    report(place, {
      code: "opened",
      effect: "widened",
      what: "accepts unknown variants now",
      demand: (who) => `${who.readers} have to expect them`,
    });
    return;
  }
  report(at(place, `(${name})`), {
    code: "variant-added",
    effect: "widened",
    open,
    novelty: { name, doc: [variant.branch.doc, variant.flat.doc].filter((doc) => doc !== undefined).join("\n") },
    after: withOrigin(variant),
    what: `is a new variant${open ? " of an open union" : ""}`,
  });
}

/** Compares the tags that the catch-all excludes. Tags of added or removed variants are not a change. */
function compareReserved(place: Place, { tags, matched, removed, added }: Matching): void {
  const pair = matched.find(([a, b]) => a.flat.reserved !== undefined || b.flat.reserved !== undefined);
  if (pair === undefined) return;
  const [a, b] = pair.map(({ flat }) => flat.reserved?.values ?? new Set<string>());
  if (a === undefined || b === undefined) return;
  const explained = (variants: readonly Variant[], tag: string | undefined): Set<string | undefined> =>
    new Set(variants.map(({ flat }) => (tag === undefined ? undefined : constantOf(flat, tag))));
  const freed = [...a].filter((tag) => !b.has(tag) && !explained(removed, tags.before).has(tag));
  const taken = [...b].filter((tag) => !a.has(tag) && !explained(added, tags.after).has(tag));
  if (freed.length > 0) {
    report(place, {
      code: "reserved-tags",
      effect: "widened",
      open: true,
      what: `no longer reserves ${quoteAll(freed)}: such values are valid as unknown variants now, with any content`,
    });
  }
  if (taken.length > 0) {
    report(place, {
      code: "reserved-tags",
      effect: "narrowed",
      what: `reserves ${quoteAll(taken)}: such values are no longer valid as unknown variants`,
      demand: (who) => `${who.writers} must not send them`,
    });
  }
}
