import { anything, type Branch, type Constraints, type Member, type ObjectBranch, type Shape } from "./shape.js";

/** Returns a definition's shape by name; `undefined` if it is still being computed or is not defined. */
export type Lookup = (name: string) => Shape | undefined;

/**
 * Composes the shape of a schema that combines its own keywords, its `$ref`, each `allOf`, and its union.
 *
 * The protocol's schemas contain only three forms of composition: a tag beside a payload, members beside a union, and constraints beside a
 * named scalar. Any other composition is only compared for equality.
 */
export function compose(pieces: readonly Shape[], lookup: Lookup): Pick<Shape, "branches" | "keyword"> {
  const telling = pieces.filter((piece) => !isTrivial(piece, pieces, lookup));
  const [first, ...more] = telling.length > 0 ? telling : pieces;
  if (first === undefined) return anything;
  if (more.length === 0) return first;
  if (telling.every((piece) => isObjectLike(piece, lookup))) {
    return { branches: [telling.reduce(addPiece, emptyObject)], keyword: "anyOf" };
  }
  const scalar = composeScalars(telling, lookup);
  if (scalar !== undefined) return { branches: [scalar], keyword: "anyOf" };
  return { branches: [{ kind: "opaque", json: { allOf: telling.map(plain) } }], keyword: "anyOf" };
}

const emptyObject: ObjectBranch = {
  kind: "object",
  members: new Map(),
  additional: "open",
  parts: [],
  reserved: undefined,
  constraints: new Map(),
};

/** Whether a piece adds nothing: `{}`, or a plain `type: object` beside pieces that are objects. */
function isTrivial(piece: Shape, pieces: readonly Shape[], lookup: Lookup): boolean {
  const [only, ...more] = piece.branches;
  if (only === undefined || more.length > 0 || pieces.length === 1) return false;
  if (only.kind === "any") return true;
  if (only.kind !== "object") return false;
  const empty =
    only.members.size === 0 &&
    only.additional === "open" &&
    only.parts.length === 0 &&
    only.reserved === undefined &&
    only.constraints.size === 0;
  return empty && pieces.some((other) => other !== piece && isObjectLike(other, lookup));
}

function isObjectLike(shape: Shape, lookup: Lookup): boolean {
  return shape.branches.every((branch) => {
    if (branch.kind !== "ref") return branch.kind === "object";
    const target = lookup(branch.name);
    return target === undefined || isObjectLike(target, lookup);
  });
}

function addPiece(sum: ObjectBranch, piece: Shape): ObjectBranch {
  const [only, ...more] = piece.branches;
  if (only === undefined || more.length > 0) return { ...sum, parts: [...sum.parts, { kind: "union", shape: piece }] };
  if (only.kind === "ref") return { ...sum, parts: [...sum.parts, only] };
  return only.kind === "object" ? mergeObjects(sum, only) : sum;
}

/** Merges the members of two objects. If both declare a member, the second declaration is more specific. */
export function mergeObjects(a: ObjectBranch, b: ObjectBranch): ObjectBranch {
  const members = new Map<string, Member>(a.members);
  for (const [name, member] of b.members) {
    const known = a.members.get(name);
    members.set(name, { shape: member.shape, required: member.required || known?.required === true });
  }
  return {
    kind: "object",
    members,
    additional: a.additional === "open" ? b.additional : a.additional,
    parts: [...a.parts, ...b.parts],
    reserved: a.reserved ?? b.reserved,
    constraints: new Map([...a.constraints, ...b.constraints]),
    doc: a.doc ?? b.doc,
    title: a.title ?? b.title,
    notes: new Map([...(a.notes ?? []), ...(b.notes ?? [])]),
  };
}

/** Adds constraints to a named scalar: `allOf: [SomeString]` beside `minLength: 1`. */
function composeScalars(pieces: readonly Shape[], lookup: Lookup): Branch | undefined {
  let sum: Branch | undefined;
  for (const piece of pieces) {
    const branch = concrete(piece, lookup);
    if (branch === undefined) return undefined;
    if (sum === undefined) sum = branch;
    else if (!isScalar(sum) || !isScalar(branch) || sum.kind !== branch.kind) return undefined;
    else {
      const rest: Constraints | undefined = sum.rest && branch.rest && new Map([...sum.rest, ...branch.rest]);
      sum = { ...sum, values: sum.rest === undefined ? sum.values : branch.values, rest };
    }
  }
  return sum;
}

function isScalar(branch: Branch): branch is Extract<Branch, { kind: "string" | "integer" | "number" }> {
  return branch.kind === "string" || branch.kind === "integer" || branch.kind === "number";
}

function concrete(shape: Shape, lookup: Lookup): Branch | undefined {
  const [only, ...more] = shape.branches;
  if (only === undefined || more.length > 0) return undefined;
  if (only.kind !== "ref") return isScalar(only) ? only : undefined;
  const target = lookup(only.name);
  return target && concrete(target, lookup);
}

/** Returns a shape that is compared for equality, for compositions that are not supported. */
function plain(shape: Shape): unknown {
  return JSON.parse(
    JSON.stringify(shape.branches, (key, value: unknown) => {
      if (key === "doc" || key === "title" || key === "notes") return undefined;
      if (value instanceof Map) return Object.fromEntries(value);
      return value instanceof Set ? [...value] : value;
    }),
  );
}
