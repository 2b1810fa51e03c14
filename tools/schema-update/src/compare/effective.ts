import { mergeObjects } from "../normalize/compose.js";
import type { Model } from "../normalize/model.js";
import { anything, type Branch, type ObjectBranch, type Shape } from "../normalize/shape.js";

/** A branch after its references are resolved, with the names of these references. */
export interface Resolved {
  readonly branch: Branch;
  /** The definitions that were resolved, outermost first. */
  readonly via: readonly string[];
}

/** Returns the concrete branches behind a shape, with every reference resolved. */
export function resolve(model: Model, shape: Shape, via: readonly string[] = []): readonly Resolved[] {
  return shape.branches.flatMap((branch) => resolveBranch(model, branch, via));
}

export function resolveBranch(model: Model, branch: Branch, via: readonly string[] = []): readonly Resolved[] {
  if (branch.kind !== "ref") return [{ branch, via }];
  const target = via.includes(branch.name) ? undefined : model.shape(branch.name);
  // A name that is not defined, or that only refers to itself, counts as "any value".
  if (target === undefined) return [{ branch: { kind: "any" }, via: [...via, branch.name] }];
  return resolve(model, target, [...via, branch.name]).map((one) =>
    target.branches.length === 1
      ? {
          ...one,
          branch: {
            ...one.branch,
            title: branch.title ?? one.branch.title,
            doc: branch.doc ?? target.doc ?? one.branch.doc,
          },
        }
      : one,
  );
}

/** Returns an object that also contains the members of its payload. `unions` are the unions that remain inside the object. */
export function flatten(
  model: Model,
  object: ObjectBranch,
  seen: readonly string[] = [],
): { object: ObjectBranch; unions: readonly Shape[] } {
  let own: ObjectBranch = { ...object, parts: [] };
  const unions: Shape[] = [];
  for (const part of object.parts) {
    if (part.kind === "union") {
      unions.push(part.shape);
      continue;
    }
    if (seen.includes(part.name)) continue;
    const targets = resolve(model, model.shape(part.name) ?? anything, [...seen, part.name]);
    const [only, ...more] = targets;
    if (only?.branch.kind === "object" && more.length === 0) {
      const inner = flatten(model, only.branch, [...seen, part.name, ...only.via]);
      // The object's own members replace those of the payload: the tag beside the payload is more specific than the payload's declaration of it.
      own = { ...mergeObjects(inner.object, own), doc: own.doc, title: own.title, notes: own.notes };
      unions.push(...inner.unions);
    } else if (more.length > 0) {
      unions.push({ ...(model.shape(part.name) ?? anything), branches: targets.map(({ branch }) => branch) });
    }
  }
  return { object: own, unions };
}

/** Returns the plain objects that an object consists of: itself, or one for each branch of the union inside it. */
export function alternatives(
  model: Model,
  object: ObjectBranch,
  depth = 0,
): readonly { object: ObjectBranch; via: readonly string[] }[] {
  const { object: own, unions } = flatten(model, object);
  const payloads = (inner: ObjectBranch): readonly string[] =>
    inner.parts.flatMap((part) => (part.kind === "ref" ? [part.name] : []));
  return unions.reduce<readonly { object: ObjectBranch; via: readonly string[] }[]>(
    (sums, union) =>
      sums.flatMap((sum) =>
        resolve(model, union).flatMap(({ branch, via }) => {
          // A file that flattens a union into itself must not cause an endless loop.
          if (branch.kind !== "object" || depth > 6) return [];
          return alternatives(model, branch, depth + 1).map((inner) => ({
            object: {
              ...mergeObjects(sum.object, inner.object),
              title: branch.title ?? sum.object.title,
              doc: branch.doc ?? sum.object.doc,
            },
            via: [...sum.via, ...via, ...payloads(branch), ...inner.via],
          }));
        }),
      ),
    [{ object: own, via: [] }],
  );
}

/**
 * Splits an object that contains a union into one object for each branch, without resolving payloads. Without a union, returns the object
 * itself. Only one level: a union inside a branch remains.
 */
export function spread(
  model: Model,
  object: ObjectBranch,
  seen: readonly string[] = [],
): readonly { object: ObjectBranch; via: readonly string[] }[] {
  const unions = object.parts.flatMap((part) => (part.kind === "union" ? [part.shape] : []));
  const own: ObjectBranch = { ...object, parts: object.parts.filter(({ kind }) => kind === "ref") };
  const [payload, ...more] = own.parts.flatMap((part) =>
    part.kind === "ref" && !seen.includes(part.name) ? [part.name] : [],
  );
  if (unions.length === 0 && payload !== undefined && more.length === 0) {
    // The union may be in the payload.
    const [only, ...others] = resolve(model, model.shape(payload) ?? anything, [payload]);
    if (only?.branch.kind !== "object" || others.length > 0) return [{ object, via: [] }];
    const inner = spread(model, mergeObjects(only.branch, { ...own, parts: [] }), [...seen, payload]);
    return inner.length > 1 ? inner.map((one) => ({ ...one, via: [payload, ...one.via] })) : [{ object, via: [] }];
  }
  return unions.reduce<readonly { object: ObjectBranch; via: readonly string[] }[]>(
    (sums, union) =>
      sums.flatMap((sum) =>
        resolve(model, union).flatMap(({ branch, via }) =>
          branch.kind === "object"
            ? [
                {
                  object: {
                    ...mergeObjects(sum.object, branch),
                    title: branch.title,
                    doc: branch.doc ?? sum.object.doc,
                  },
                  via: [...sum.via, ...via],
                },
              ]
            : [],
        ),
      ),
    [{ object: own, via: [] }],
  );
}

/** Returns the members that are required in every value of a definition. */
export function membersRequired(model: Model, name: string): readonly string[] {
  const objects = resolve(model, model.shape(name) ?? anything).map(({ branch }) =>
    branch.kind === "object" ? [...flatten(model, branch).object.members] : [],
  );
  const required = objects.map((members) => members.flatMap(([member, { required: must }]) => (must ? [member] : [])));
  return (required[0] ?? []).filter((member) => required.every((names) => names.includes(member)));
}
