import { constantOf, isCatchAll, similarity } from "./tags.js";
import type { Variant } from "./variants.js";

export interface Matching {
  readonly tags: { readonly before: string | undefined; readonly after: string | undefined };
  readonly matched: readonly (readonly [Variant, Variant])[];
  readonly removed: readonly Variant[];
  readonly added: readonly Variant[];
}

/**
 * Finds the variants that correspond to each other: by tag value, then by definition, then by title, then by similarity.
 *
 * @param context.union - the objects are variants of unions. Otherwise each side has one object, and the two correspond.
 */
export function matchObjects(
  before: readonly Variant[],
  after: readonly Variant[],
  { tags, union }: { readonly tags: Matching["tags"]; readonly union: boolean },
): Matching {
  const matched: [Variant, Variant][] = [];
  let left = [...before];
  let right = [...after];
  const pair = (fits: (a: Variant, b: Variant) => boolean): void => {
    for (const a of [...left]) {
      const b = right.find((one) => fits(a, one));
      if (b === undefined) continue;
      matched.push([a, b]);
      left = left.filter((one) => one !== a);
      right = right.filter((one) => one !== b);
    }
  };

  const value = (variant: Variant, tag: string | undefined): string | undefined =>
    tag === undefined ? undefined : constantOf(variant.flat, tag);
  const otherA = (a: Variant): boolean => isCatchAll(a.flat, tags.before);
  const otherB = (b: Variant): boolean => isCatchAll(b.flat, tags.after);
  pair((a, b) => value(a, tags.before) !== undefined && value(a, tags.before) === value(b, tags.after));
  if (union) pair((a, b) => otherA(a) && otherB(b));
  // Objects with different tags are different variants, even if they are similar. But a single object may have gained or lost its tag.
  const free = (a: Variant, b: Variant): boolean =>
    !union || ((value(a, tags.before) === undefined || value(b, tags.after) === undefined) && otherA(a) === otherB(b));
  pair((a, b) => free(a, b) && payload(a) !== undefined && payload(a) === payload(b));
  pair((a, b) => free(a, b) && a.branch.title !== undefined && a.branch.title === b.branch.title);
  for (const least of [1, 0.5, 0.3]) pair((a, b) => free(a, b) && similarity(a.flat, b.flat) >= least);
  if (!union) pair(() => true);
  return { tags, matched, removed: left, added: right };
}

function payload({ branch, via }: Variant): string | undefined {
  const part = branch.parts.find((one) => one.kind === "ref");
  return part?.kind === "ref" ? part.name : via.at(-1);
}
