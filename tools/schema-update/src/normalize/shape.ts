/**
 * The values that a schema position accepts, in one form whatever its spelling: `enum` or `oneOf` of `const`, `$ref` or `allOf`
 * around it, `type: [x, "null"]` or `anyOf` with null, an object or a union with one branch.
 *
 * Unlike the generator's IR this form never refuses a construct: a comparison has to read files from any year.
 */
export interface Shape {
  /** A value fits when it fits one of these. Empty: nothing fits (`false`). */
  readonly branches: readonly Branch[];
  /** `oneOf` with overlapping branches accepts less than `anyOf`; otherwise the two mean the same. */
  readonly keyword: "anyOf" | "oneOf";
  readonly doc: string | undefined;
  readonly title: string | undefined;
  /** Keywords that don't say which values are valid: `default`, `discriminator`, `x-deserialize-*`, unknown ones. */
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
  /** A construct that is only ever compared for equality. */
  | (Described & { readonly kind: "opaque"; readonly json: unknown });

/** Validation keywords by name, with their JSON value. */
export type Constraints = ReadonlyMap<string, unknown>;

export interface ScalarBranch extends Described {
  readonly kind: "string" | "integer" | "number";
  /** The values the schema names. */
  readonly values: ReadonlyMap<
    string | number,
    { readonly doc: string | undefined; readonly title: string | undefined }
  >;
  /** What further values may be like; `undefined`: the named values are all (a closed enum). */
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
  /** What members that aren't declared may be: anything, nothing, or a map's values. */
  readonly additional: "open" | "closed" | Shape;
  /** What else the object must fit: the payload beside a tag, or a union flattened into it. */
  readonly parts: readonly (RefBranch | { readonly kind: "union"; readonly shape: Shape })[];
  /** The tags that a catch-all variant leaves to the known variants (`not: {anyOf: […]}`). */
  readonly reserved: { readonly tag: string; readonly values: ReadonlySet<string> } | undefined;
  readonly constraints: Constraints;
}

export interface Member {
  readonly shape: Shape;
  readonly required: boolean;
}

/** The shape that any value fits. */
export const anything: Shape = {
  branches: [{ kind: "any" }],
  keyword: "anyOf",
  doc: undefined,
  title: undefined,
  notes: new Map(),
};

/** A shape around one branch, without words of its own. */
export function shapeOf(...branches: readonly Branch[]): Shape {
  return { ...anything, branches };
}
