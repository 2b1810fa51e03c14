/**
 * The values that a schema accepts, in one form for all spellings: `enum` or `oneOf` of `const`, `$ref` or `allOf` around it,
 * `type: [x, "null"]` or `anyOf` with null, an object or a union with one branch.
 *
 * Unlike the generator's IR, this form supports every construct, because a comparison must read files from any year.
 */
export interface Shape {
  /** A value is valid if it matches one branch. Empty: no value is valid (`false`). */
  readonly branches: readonly Branch[];
  /** With overlapping branches, `oneOf` accepts fewer values than `anyOf`. Otherwise both keywords mean the same. */
  readonly keyword: "anyOf" | "oneOf";
  readonly doc: string | undefined;
  readonly title: string | undefined;
  /** Keywords that don't affect validity: `default`, `discriminator`, `x-deserialize-*`, unknown keywords. */
  readonly notes: ReadonlyMap<string, unknown>;
}

interface Described {
  readonly doc?: string | undefined;
  readonly title?: string | undefined;
  readonly notes?: ReadonlyMap<string, unknown> | undefined;
}

export type Branch =
  | (Described & { readonly kind: "any" | "null" })
  | (Described & { readonly kind: "boolean"; readonly values: ReadonlySet<boolean> | undefined })
  | ScalarBranch
  | ArrayBranch
  | ObjectBranch
  | RefBranch
  /** A construct that is only compared for equality. */
  | (Described & { readonly kind: "opaque"; readonly json: unknown });

/** Validation keywords by name, with their JSON value. */
export type Constraints = ReadonlyMap<string, unknown>;

export interface ScalarBranch extends Described {
  readonly kind: "string" | "integer" | "number";
  /** The values that the schema lists. */
  readonly values: ReadonlyMap<
    string | number,
    { readonly doc: string | undefined; readonly title: string | undefined }
  >;
  /** The form of other values; `undefined` for a closed enum, which has only the named values. */
  readonly rest: Constraints | undefined;
}

export interface ArrayBranch extends Described {
  readonly kind: "array";
  readonly items: Shape | undefined;
  readonly constraints: Constraints;
}

export interface RefBranch extends Described {
  readonly kind: "ref";
  readonly name: string;
}

export interface ObjectBranch extends Described {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, Member>;
  /** The schema of undeclared members: anything, nothing, or a map's values. */
  readonly additional: "open" | "closed" | Shape;
  /** Other shapes that the object must match: the payload beside a tag, or a union flattened into it. */
  readonly parts: readonly (RefBranch | { readonly kind: "union"; readonly shape: Shape })[];
  /** The tags that a catch-all variant does not match (`not: {anyOf: […]}`). */
  readonly reserved: { readonly tag: string; readonly values: ReadonlySet<string> } | undefined;
  readonly constraints: Constraints;
}

export interface Member {
  readonly shape: Shape;
  readonly required: boolean;
}

/** The shape that accepts every value. */
export const anything: Shape = {
  branches: [{ kind: "any" }],
  keyword: "anyOf",
  doc: undefined,
  title: undefined,
  notes: new Map(),
};

/** Creates a shape with one branch, without a description. */
export function shapeOf(...branches: readonly Branch[]): Shape {
  return { ...anything, branches };
}
