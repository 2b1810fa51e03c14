import type { Branch, Node, NumberNode, Property, SchemaIr, StringNode } from "@acp-kit/codegen/ir";

/** The values of one JSON type that a place accepts: the listed ones, and `rest` if others are valid, too. */
export interface Scalar {
  readonly kind: "string" | "integer" | "number";
  readonly values: ReadonlyMap<string | number, string | undefined>;
  readonly rest: StringNode | NumberNode | undefined;
}

/** A list that a place accepts, with the title that the schema gives it. */
export interface List {
  readonly items: Node;
  readonly minItems: number;
  readonly title: string | undefined;
}

/** One of the objects that a place accepts. */
export interface Variant {
  /** The tag's value, the title or the definition: the name of the variant in a path. */
  readonly name: string;
  readonly title: string | undefined;
  /** The member with a constant that distinguishes the variant, and the constant. */
  readonly tag: { readonly member: string; readonly value: string } | undefined;
  /** Whether it accepts every tag that the schema does not define. */
  readonly catchAll: boolean;
  /** The definition that describes this variant, or the members beside its tag. */
  readonly definition: string | undefined;
  readonly payload: string | undefined;
  /** The members written here, without those of the payload. */
  readonly members: ReadonlyMap<string, Property>;
  /** A union that is flattened into the object. */
  readonly flattened: Node | undefined;
  readonly doc: string | undefined;
}

/** Everything that a place accepts, independent of how the schema spells it. */
export interface Alternatives {
  readonly any: boolean;
  readonly null: boolean;
  readonly boolean: boolean;
  readonly scalars: readonly Scalar[];
  readonly lists: readonly List[];
  /** The values of free maps. */
  readonly maps: readonly Node[];
  readonly variants: readonly Variant[];
}

/** Follows references that only rename a type, and unions with one branch, to a form of its own. */
export function unwrapped(ir: SchemaIr, node: Node): Node {
  if (node.kind === "union" && node.branches.length === 1) return unwrapped(ir, node.branches[0]?.node ?? node);
  const target = node.kind === "ref" ? ir.definitions.get(node.name)?.node : undefined;
  return target?.kind === "ref" || (target?.kind === "union" && target.branches.length === 1)
    ? unwrapped(ir, target)
    : node;
}

/** Returns the type behind `null`, and whether `null` is valid beside it. */
export function withoutNull(ir: SchemaIr, node: Node): { readonly node: Node; readonly nullable: boolean } {
  const own = unwrapped(ir, node);
  return own.kind === "nullable" ? { node: unwrapped(ir, own.inner), nullable: true } : { node: own, nullable: false };
}

/** Follows references until the form of the type. */
export function resolved(ir: SchemaIr, node: Node): Node {
  const own = unwrapped(ir, node);
  if (own.kind !== "ref") return own;
  const target = ir.definitions.get(own.name);
  return target === undefined ? { kind: "any" } : resolved(ir, target.node);
}

/** Lists what a place accepts. Nested unions become one list. */
export function alternativesOf(ir: SchemaIr, node: Node): Alternatives {
  const found = {
    any: false,
    null: false,
    boolean: false,
    scalars: [] as Scalar[],
    lists: [] as List[],
    maps: [] as Node[],
    variants: [] as Variant[],
  };
  const add = (scalar: Scalar): void => {
    const index = found.scalars.findIndex(({ kind }) => kind === scalar.kind);
    const known = found.scalars[index];
    if (known === undefined) found.scalars.push(scalar);
    else
      found.scalars[index] = {
        kind: known.kind,
        values: new Map([...known.values, ...scalar.values]),
        rest: known.rest ?? scalar.rest,
      };
  };
  const visit = (one: Node, branch: Pick<Branch, "title" | "doc">, definition: string | undefined): void => {
    const own = unwrapped(ir, one);
    switch (own.kind) {
      case "any":
      case "null":
      case "boolean":
        found[own.kind] = true;
        break;
      case "string":
      case "integer":
      case "number":
        add({ kind: own.kind, values: new Map(), rest: own });
        break;
      case "const":
        add({
          kind: typeof own.value === "string" ? "string" : "integer",
          values: new Map([[own.value, branch.doc]]),
          rest: undefined,
        });
        break;
      case "enum":
        add({
          kind: own.base,
          values: new Map(own.members.map(({ value, doc }) => [value, doc])),
          rest: own.open === undefined ? undefined : openScalar(own.base, own.open.format),
        });
        break;
      case "nullable":
        found.null = true;
        visit(own.inner, branch, definition);
        break;
      case "array":
        found.lists.push({ items: own.items, minItems: own.minItems ?? 0, title: branch.title });
        break;
      case "record":
        found.maps.push(own.values);
        break;
      case "ref":
        visit(ir.definitions.get(own.name)?.node ?? { kind: "any" }, branch, own.name);
        break;
      case "union":
        for (const inner of own.branches) visit(inner.node, inner, undefined);
        break;
      case "object":
      case "tagged":
        found.variants.push(...variantsOf(ir, own, branch, definition));
    }
  };
  visit(node, { title: undefined, doc: undefined }, undefined);
  return found;
}

function openScalar(base: "string" | "integer", format: string | undefined): StringNode | NumberNode {
  return base === "string"
    ? { kind: base, format, minLength: undefined, contentEncoding: undefined }
    : { kind: base, format, minimum: undefined, maximum: undefined };
}

/** Lists the variants of an object or a tagged union. */
function variantsOf(
  ir: SchemaIr,
  node: Extract<Node, { kind: "object" | "tagged" }>,
  branch: Pick<Branch, "title" | "doc">,
  definition: string | undefined,
): Variant[] {
  const { title, doc } = branch;
  if (node.kind === "object") {
    const members = new Map(node.properties.map((property) => [property.name, property]));
    const tag = [...members.values()].flatMap(constantOf)[0];
    const name = tag?.value ?? title ?? definition ?? "object";
    const flattened = node.flattened === undefined ? undefined : unwrapped(ir, node.flattened);
    const own: Variant = {
      ...{ name, title, tag, catchAll: false, definition, payload: undefined },
      ...{ members, flattened: undefined, doc },
    };
    if (flattened === undefined) return [own];
    if (flattened.kind === "tagged" && title === undefined)
      return variantsOf(ir, flattened, branch, undefined).map((one) => ({
        ...one,
        members: new Map([...without(members, flattened.tag), ...one.members]),
      }));
    return [{ ...own, flattened }];
  }
  const known = node.variants.map(
    (variant): Variant => ({
      ...{ name: variant.value, title: variant.title, tag: { member: node.tag, value: variant.value } },
      ...{ catchAll: false, definition: undefined, payload: variant.payload, flattened: undefined, doc: variant.doc },
      members: new Map([
        [node.tag, tagMember(node.tag, { kind: "const", value: variant.value })],
        ...variant.properties.map((property) => [property.name, property] as const),
      ]),
    }),
  );
  const untagged = node.untagged.flatMap((one) => {
    const inner = resolved(ir, one.node);
    const name = unwrapped(ir, one.node);
    return inner.kind === "object" ? variantsOf(ir, inner, one, name.kind === "ref" ? name.name : undefined) : [];
  });
  const other = (node.other === undefined ? [] : [node.other]).map(
    (one): Variant => ({
      ...{ name: "other", title: one.title, tag: undefined, catchAll: true, definition: undefined, payload: undefined },
      members: new Map([
        [node.tag, tagMember(node.tag, openScalar("string", undefined))],
        ...one.node.properties.map((property) => [property.name, property] as const),
      ]),
      ...{ flattened: one.node.flattened, doc: one.doc },
    }),
  );
  return [...known, ...other, ...untagged];
}

function constantOf({ name, node, required }: Property): { member: string; value: string }[] {
  return required && node.kind === "const" && typeof node.value === "string"
    ? [{ member: name, value: node.value }]
    : [];
}

export function tagMember(name: string, node: Node): Property {
  return {
    ...{ name, node, required: true, doc: undefined, default: undefined },
    ...{ defaultOnError: false, skipInvalidItems: false, defaultOnNull: false },
  };
}

export function without<T>(map: ReadonlyMap<string, T>, name: string): ReadonlyMap<string, T> {
  return new Map([...map].filter(([key]) => key !== name));
}

/** Returns all members of a variant, with those of its payload. */
export function allMembers(ir: SchemaIr, { payload, members }: Variant): ReadonlyMap<string, Property> {
  const target = payload === undefined ? undefined : resolved(ir, { kind: "ref", name: payload });
  const inherited = target?.kind === "object" ? target.properties : [];
  return new Map([...inherited.map((property) => [property.name, property] as const), ...members]);
}

/**
 * Splits one object into a variant for each value of the member that is the tag of a union in the other schema.
 *
 * @returns the object alone, if the member has no list of values.
 */
export function splitBy(ir: SchemaIr, variant: Variant, tag: string): readonly Variant[] {
  const property = variant.members.get(tag);
  if (property === undefined || variant.tag !== undefined) return [variant];
  const { scalars, null: nullable } = alternativesOf(ir, property.node);
  const [scalar] = scalars;
  if (scalar?.kind !== "string" || scalars.length > 1 || scalar.values.size === 0) return [variant];
  const rest = without(variant.members, tag);
  const values = [...scalar.values].map(
    ([value, doc]): Variant => ({
      ...variant,
      ...{ name: String(value), title: undefined, tag: { member: tag, value: String(value) }, doc },
      members: new Map([[tag, tagMember(tag, { kind: "const", value })], ...rest]),
    }),
  );
  const other = { ...variant, name: "other", title: "other", catchAll: true };
  const none = {
    ...variant,
    name: "none",
    title: "none",
    members: new Map([[tag, { ...property, node: { kind: "null" } as const }], ...rest]),
  };
  return [
    ...values,
    ...(scalar.rest === undefined
      ? []
      : [{ ...other, members: new Map([[tag, tagMember(tag, scalar.rest)], ...rest]) }]),
    ...(nullable || !property.required ? [none] : []),
  ];
}

/** Describes a type in a few words: `string`, `array of ContentBlock`, `integer (uint32)`. */
export function describe(node: Node): string {
  const named = partsOf(node);
  return named.length > 4 ? `${named.slice(0, 3).join(" or ")} or ${named.length - 3} more` : named.join(" or ");
}

function partsOf(node: Node): readonly string[] {
  switch (node.kind) {
    case "any":
      return ["any value"];
    case "ref":
      return [`\`${node.name}\``];
    case "const":
      return [`\`${node.value}\``];
    case "enum": {
      const values = node.members.map(({ value }) => `\`${value}\``);
      if (node.open !== undefined) return [node.base];
      return [values.length > 4 ? `one of ${values.length} values` : values.join(" and ")];
    }
    case "nullable":
      return [...partsOf(node.inner), "null"];
    case "array":
      return [`array of ${describe(node.items)}`];
    case "record":
      return ["object"];
    case "union":
      return node.branches.flatMap((branch) => partsOf(branch.node));
    case "tagged":
      return [
        ...node.variants.map(({ value, payload }) => `\`${payload ?? value}\``),
        ...(node.other === undefined ? [] : ["`other`"]),
      ];
    case "string":
    case "integer":
    case "number":
      return [node.format === undefined ? node.kind : `${node.kind} (${node.format})`];
    default:
      return [node.kind];
  }
}
