import type { Model } from "../normalize/model.js";
import type { Branch, ObjectBranch, Shape } from "../normalize/shape.js";
import { alternatives, resolve } from "./effective.js";
import { constantOf } from "./tags.js";

/**
 * Whether a value could match two branches, which `oneOf` forbids and `anyOf` allows. Between constants, types or tags, `oneOf` and `anyOf`
 * mean the same.
 */
export function isExclusive(model: Model, shape: Shape): boolean {
  if (shape.keyword !== "oneOf") return false;
  const branches = resolve(model, shape).map(({ branch }) => branch);
  return branches.some((a, index) => branches.slice(index + 1).some((b) => overlap(model, a, b)));
}

/** Whether some value could match both branches. */
export function overlap(model: Model, a: Branch, b: Branch): boolean {
  if (a.kind === "any" || b.kind === "any") return true;
  if (a.kind === "object" && b.kind === "object") {
    const others = alternatives(model, b);
    return alternatives(model, a).some((one) => others.some((other) => objectsOverlap(one.object, other.object)));
  }
  if ((a.kind === "integer" && b.kind === "number") || (a.kind === "number" && b.kind === "integer")) return true;
  if (a.kind !== b.kind) return false;
  // Two branches with the same type of scalar overlap, because enums of one type are a single branch. Arrays overlap, because the empty
  // array matches both.
  return a.kind === "array" || a.kind === "string" || a.kind === "integer" || a.kind === "number";
}

function objectsOverlap(a: ObjectBranch, b: ObjectBranch): boolean {
  for (const [name, member] of a.members) {
    const other = b.members.get(name);
    if (other === undefined) continue;
    const x = constantOf(a, name);
    const y = constantOf(b, name);
    const required = member.required && other.required;
    if (required && x !== undefined && y !== undefined && x !== y) return false;
    // A catch-all does not match the reserved tags.
    if (x !== undefined && b.reserved?.tag === name && b.reserved.values.has(x)) return false;
    if (y !== undefined && a.reserved?.tag === name && a.reserved.values.has(y)) return false;
  }
  return true;
}
