import type { ObjectBranch } from "../normalize/shape.js";

/** Returns the constant that an object declares for a member; `undefined` if the member is not one constant string. */
export function constantOf(object: ObjectBranch, member: string): string | undefined {
  const [only, ...more] = object.members.get(member)?.shape.branches ?? [];
  if (only?.kind !== "string" || more.length > 0 || only.rest !== undefined || only.values.size !== 1) return undefined;
  const [value] = only.values.keys();
  return typeof value === "string" ? value : undefined;
}

/**
 * Finds the member that distinguishes the objects of a union, before and after: the member for which most objects declare a different
 * constant. It is the same member on both sides if possible.
 */
export function tagsOf(
  before: readonly ObjectBranch[],
  after: readonly ObjectBranch[],
): { readonly before: string | undefined; readonly after: string | undefined } {
  const a = constantsOf(before);
  const b = constantsOf(after);
  const size = (counts: ReadonlyMap<string, ReadonlySet<string>>, member: string | undefined): number =>
    member === undefined ? 0 : (counts.get(member)?.size ?? 0);
  const best = (counts: ReadonlyMap<string, ReadonlySet<string>>): string | undefined =>
    [...counts.keys()].sort((x, y) => size(counts, y) - size(counts, x))[0];
  const [common] = [...a.keys()]
    .filter((member) => b.has(member))
    .sort((x, y) => size(a, y) + size(b, y) - size(a, x) - size(b, x));
  if (common !== undefined && 2 * size(a, common) >= size(a, best(a)) && 2 * size(b, common) >= size(b, best(b))) {
    return { before: common, after: common };
  }
  // If only one side has constants, the other side uses the same member.
  return { before: best(a) ?? best(b), after: best(b) ?? best(a) };
}

function constantsOf(objects: readonly ObjectBranch[]): ReadonlyMap<string, ReadonlySet<string>> {
  const counts = new Map<string, Set<string>>();
  for (const object of objects) {
    for (const member of object.members.keys()) {
      const value = constantOf(object, member);
      if (value !== undefined) counts.set(member, (counts.get(member) ?? new Set()).add(value));
    }
  }
  return counts;
}

/** Whether an object is the catch-all variant. */
export function isCatchAll(object: ObjectBranch, tag: string | undefined): boolean {
  if (object.reserved !== undefined) return true;
  const [only, ...more] = (tag === undefined ? undefined : object.members.get(tag))?.shape.branches ?? [];
  return (
    only?.kind === "string" &&
    more.length === 0 &&
    only.rest !== undefined &&
    object.members.get(tag ?? "")?.required === true
  );
}

/** Returns the name of a variant in a path: its tag, its title, or a description of its shape. */
export function variantName(object: ObjectBranch, tag: string | undefined, via: readonly string[]): string {
  const value = tag === undefined ? undefined : constantOf(object, tag);
  return value ?? object.title ?? via.at(-1) ?? (isCatchAll(object, tag) ? "other" : "object");
}

/** Returns the share of member names that two objects have in common, between 0 and 1. */
export function similarity(a: ObjectBranch, b: ObjectBranch): number {
  const names = new Set([...a.members.keys(), ...b.members.keys()]);
  names.delete("_meta");
  if (names.size === 0) return 1;
  return [...names].filter((name) => a.members.has(name) && b.members.has(name)).length / names.size;
}
