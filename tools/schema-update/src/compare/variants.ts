import type { Model } from "../normalize/model.js";
import { type Branch, type ObjectBranch, shapeOf } from "../normalize/shape.js";
import { flatten, type Resolved, resolve, spread } from "./effective.js";

/** An object branch of a union, with its payload's members merged in. */
export interface Variant {
  /** The branch as the file contains it: the object with the tag and the payload are separate. */
  readonly branch: ObjectBranch;
  /** All members in one object. */
  readonly flat: ObjectBranch;
  /** The definitions that were resolved or merged. */
  readonly via: readonly string[];
}

/** Whether an object has a union flattened into it, its own or its payload's. */
export function hasUnion(model: Model, resolved: readonly Resolved[]): boolean {
  return resolved.some(({ branch }) => branch.kind === "object" && flatten(model, branch).unions.length > 0);
}

/** Returns the variants. `apart`: whether an object with a union inside becomes one object for each branch, which can be matched with variants. */
export function variantsOf(model: Model, { branch, via }: Resolved, apart: boolean): readonly Variant[] {
  if (branch.kind !== "object") return [];
  const objects = apart
    ? spread(model, branch).map((one) => ({ ...one, via: [...via, ...one.via] }))
    : [{ object: branch, via }];
  return objects.map((one) => ({ branch: one.object, flat: flatten(model, one.object).object, via: one.via }));
}

/** Splits an object whose tag is an enum into a variant for each value, if the other side is written as such a union. */
export function byTag(
  model: Model,
  variants: readonly Variant[],
  tag: string | undefined,
  others: number,
): readonly Variant[] {
  const [only, ...more] = variants;
  const member = tag === undefined ? undefined : only?.flat.members.get(tag);
  if (only === undefined || more.length > 0 || others < 2 || tag === undefined || member === undefined) return variants;
  const branches = resolve(model, member.shape).map(({ branch }) => branch);
  const values = branches.find((branch) => branch.kind === "string");
  if (values?.kind !== "string" || values.values.size < 2) return variants;
  const reserved = { tag, values: new Set([...values.values.keys()].map(String)) };
  const withTag = (inner: Branch, required: boolean, title?: string): Variant => {
    const object = {
      ...only.flat,
      title,
      reserved: title === "other" ? reserved : undefined,
      members: new Map([...only.flat.members, [tag, { shape: shapeOf(inner), required }]]),
    };
    return { branch: object, flat: object, via: only.via };
  };
  const absent = !member.required || branches.some(({ kind }) => kind === "null");
  return [
    ...[...values.values].map(([value, words]) =>
      withTag({ ...values, values: new Map([[value, words]]), rest: undefined }, true),
    ),
    ...(values.rest === undefined ? [] : [withTag({ ...values, values: new Map() }, true, "other")]),
    ...(absent ? [withTag({ kind: "null" }, false, "none")] : []),
  ];
}
