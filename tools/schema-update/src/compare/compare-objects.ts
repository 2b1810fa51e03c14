import type { Member, ObjectBranch, RefBranch, Shape } from "../normalize/shape.js";
import { anything } from "../normalize/shape.js";
import { compareConstraints } from "./compare-constraints.js";
import { compareShapes } from "./compare-shapes.js";
import { compareUnions } from "./compare-unions.js";
import { at, type Comparison, link, type Place, report } from "./comparison.js";
import { describe } from "./describe.js";
import { flatten, spread } from "./effective.js";

interface ObjectOptions {
  readonly catchAll?: boolean;
  readonly reported?: ReadonlySet<string> | undefined;
}

/**
 * Compares two objects member by member. If a payload has its own definition, the function only records the pair of definitions; they are
 * compared later.
 *
 * @param options.catchAll - the object describes unknown variants, which keep all members.
 * @param options.reported - members that are already reported, such as a renamed tag.
 */
export function compareObjects(
  comparison: Comparison,
  place: Place,
  a: ObjectBranch,
  b: ObjectBranch,
  options: ObjectOptions = {},
): void {
  if (!linkParts(comparison, place, a, b)) {
    const before = flatten(comparison.before, a);
    const after = flatten(comparison.after, b);
    noteDissolved(comparison, a, b);
    const canBeTakenApart = spread(comparison.before, a).length > 1 || spread(comparison.after, b).length > 1;
    if ((before.unions.length === 0) !== (after.unions.length === 0) && canBeTakenApart) {
      const [left, right] = [[{ branch: a, via: [] }], [{ branch: b, via: [] }]];
      compareUnions(comparison, place, { left, right, all: { before: left, after: right } });
      return;
    }
    compareMembers(comparison, place, before.object, after.object, options);
    compareFlattenedUnions(comparison, place, before.unions, after.unions);
    return;
  }
  compareMembers(comparison, place, a, b, options);
  const unions = (object: ObjectBranch): Shape[] =>
    object.parts.flatMap((part) => (part.kind === "union" ? [part.shape] : []));
  compareFlattenedUnions(comparison, place, unions(a), unions(b));
}

/**
 * Links the payloads of both files if they are the same, even with new names. Returns `false` if the members must be compared
 * directly, because a payload was inlined or extracted, or a member moved between the object and its payload.
 */
function linkParts(comparison: Comparison, place: Place, a: ObjectBranch, b: ObjectBranch): boolean {
  const before = a.parts.filter((part): part is RefBranch => part.kind === "ref");
  const after = b.parts.filter((part): part is RefBranch => part.kind === "ref");
  if (before.length !== after.length) return false;
  const pairs = before.map((part) => {
    const same = after.find(({ name }) => name === part.name);
    if (same !== undefined) return [part, same] as const;
    const renamed = after.find(({ name }) => comparison.before.shape(name) === undefined);
    return renamed !== undefined && comparison.after.shape(part.name) === undefined
      ? ([part, renamed] as const)
      : undefined;
  });
  if (pairs.some((pair) => pair === undefined) || memberMoved(comparison, a, b)) return false;
  for (const pair of pairs) if (pair !== undefined) link(comparison, place, pair[0].name, pair[1].name);
  return true;
}

function memberMoved(comparison: Comparison, a: ObjectBranch, b: ObjectBranch): boolean {
  if (a.parts.length === 0) return false;
  const before = flatten(comparison.before, a).object.members;
  const after = flatten(comparison.after, b).object.members;
  const lost = [...a.members.keys()].some((name) => !b.members.has(name) && after.has(name));
  const gained = [...b.members.keys()].some((name) => !a.members.has(name) && before.has(name));
  return lost || gained;
}

function noteDissolved(comparison: Comparison, a: ObjectBranch, b: ObjectBranch): void {
  const names = (object: ObjectBranch): string[] =>
    object.parts.flatMap((part) => (part.kind === "ref" ? [part.name] : []));
  for (const name of names(a)) if (!names(b).includes(name)) comparison.dissolved.add(name);
  for (const name of names(b)) if (!names(a).includes(name)) comparison.extracted.add(name);
}

function compareFlattenedUnions(comparison: Comparison, place: Place, a: readonly Shape[], b: readonly Shape[]): void {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const before = a[index];
    const after = b[index];
    if (before !== undefined && after !== undefined) compareShapes(comparison, place, before, after);
    else {
      report(place, {
        code: "type-changed",
        effect: before === undefined ? "narrowed" : "widened",
        before,
        after,
        what:
          before === undefined
            ? `must also match ${describe(after ?? anything)}`
            : `no longer has to match ${describe(before)}`,
      });
    }
  }
}

function compareMembers(
  comparison: Comparison,
  place: Place,
  a: ObjectBranch,
  b: ObjectBranch,
  { catchAll = false, reported }: ObjectOptions,
): void {
  for (const [name, member] of a.members) {
    if (reported?.has(name)) continue;
    const here = at(place, `.${name}`);
    const now = b.members.get(name);
    if (now === undefined) reportRemoved(here, member, b, catchAll);
    else compareMember(comparison, place, name, member, now);
  }
  for (const [name, member] of b.members) {
    if (!a.members.has(name) && !reported?.has(name)) reportAdded(at(place, `.${name}`), member);
  }
  compareConstraints(place, "object", a.constraints, b.constraints);
  compareAdditional(comparison, place, a, b);
}

function compareMember(comparison: Comparison, place: Place, name: string, a: Member, b: Member): void {
  const here = at(place, `.${name}`);
  if (!a.required && b.required) {
    report(here, {
      code: "member-required",
      effect: "narrowed",
      what: "is required now",
      demand: (who) => `${who.writers} have to send it`,
    });
  }
  if (a.required && !b.required) {
    report(here, {
      code: "member-optional",
      effect: "widened",
      what: "may be omitted now",
      demand: (who) => `${who.readers} must handle its absence`,
    });
  }
  const lenient =
    a.shape.notes.get("x-deserialize-default-on-error") === true ||
    a.shape.notes.get("x-deserialize-skip-invalid-items") === true;
  compareShapes(comparison, at(place, `.${name}`, lenient), a.shape, b.shape);
}

function reportRemoved(place: Place, member: Member, b: ObjectBranch, catchAll: boolean): void {
  if (catchAll && !member.required && b.additional !== "closed") {
    report(place, {
      code: "member-removed",
      effect: "known",
      before: member.shape,
      what: "is no longer described for unknown variants, which may still carry it",
    });
    return;
  }
  report(place, {
    code: "member-removed",
    effect: "lost",
    before: member.shape,
    what: b.additional === "closed" ? "was removed and is no longer accepted" : "was removed",
    demand: (who) =>
      b.additional === "closed" ? `${who.writers} must not send it` : `${who.readers} no longer receive it`,
  });
}

function reportAdded(place: Place, member: Member): void {
  report(place, {
    code: "member-added",
    effect: member.required ? "narrowed" : "member",
    after: member.shape,
    what: member.required ? "is new and required" : "is new and optional",
    demand: (who) => `${who.writers} have to send it`,
  });
}

function compareAdditional(comparison: Comparison, place: Place, a: ObjectBranch, b: ObjectBranch): void {
  if (typeof a.additional !== "string" && typeof b.additional !== "string") {
    compareShapes(comparison, at(place, "{}"), a.additional, b.additional);
    return;
  }
  if (a.additional === b.additional) return;
  const words = (object: ObjectBranch): string =>
    object.additional === "open"
      ? "any further members"
      : object.additional === "closed"
        ? "no further members"
        : `further members of type ${describe(object.additional)}`;
  const narrowed = a.additional === "open" || b.additional === "closed";
  report(place, {
    code: "type-changed",
    effect: narrowed ? "narrowed" : "widened",
    before: typeof a.additional === "string" ? undefined : a.additional,
    after: typeof b.additional === "string" ? undefined : b.additional,
    what: `allows ${words(b)}; previously ${words(a)}`,
  });
}
