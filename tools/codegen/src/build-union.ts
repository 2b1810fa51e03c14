import { buildNode } from "./build-node.js";
import { buildTagged, isCatchAll, variantTag } from "./build-tagged.js";
import type { Branch, EnumNode, Node, Property, UnionNode } from "./ir.js";
import { below, DialectError, type Place } from "./place.js";
import type { RawSchema } from "./raw-schema.js";

/** A branch of a union, with its place in the schema file. */
export type PlacedBranch = { readonly schema: RawSchema; readonly place: Place };

/**
 * Determines the kind of a union: optional reference, enum, tagged union, or alternatives that are tried in order.
 *
 * @param beside - the members of the object that the union is flattened into; `undefined` for a union that is not
 * flattened.
 */
export function buildUnion(schema: RawSchema, beside: readonly Property[] | undefined, place: Place): Node {
  const keyword = schema.oneOf === undefined ? "anyOf" : "oneOf";
  const branches = (schema[keyword] ?? []).map((branch, index) => ({
    schema: branch,
    place: below(place, keyword, index),
  }));
  const optional = optionalOf(branches);
  if (optional !== undefined) return { kind: "nullable", inner: buildNode(optional.schema, optional.place) };
  if (branches.some((branch) => branch.schema.const !== undefined)) return buildEnum(branches);
  if (branches.some((branch) => variantTag(branch) !== undefined)) {
    return buildTagged(branches, schema.discriminator?.propertyName, beside, place);
  }
  if (schema.discriminator !== undefined) {
    throw new DialectError(below(place, "discriminator"), "a discriminator on a union whose branches carry no tag");
  }
  return buildAlternatives(branches, keyword === "oneOf", place);
}

/** Returns X of `anyOf: [X, {type: "null"}]`, a nullable reference. A `null` with a title is an alternative. */
function optionalOf(branches: readonly PlacedBranch[]): PlacedBranch | undefined {
  const [first, second, third] = branches;
  const isNull = second?.schema.type === "null" && second.schema.title === undefined;
  return isNull && third === undefined ? first : undefined;
}

/** Converts an enum: constants of one type. A last branch with only that type makes the enum open. */
function buildEnum(branches: readonly PlacedBranch[]): EnumNode {
  const [first] = branches;
  const base = first?.schema.type === "integer" ? "integer" : "string";
  const members: EnumNode["members"][number][] = [];
  let open: EnumNode["open"];
  for (const { schema, place } of branches) {
    if (schema.type !== base) throw new DialectError(place, `an enum of ${base} has a branch of another type`);
    if (open !== undefined) throw new DialectError(place, "the catch-all of an enum must be its last branch");
    if (schema.const === undefined) open = { doc: schema.description, format: schema.format };
    else members.push({ value: schema.const, title: schema.title, doc: schema.description });
  }
  return { kind: "enum", base, members, open };
}

function buildAlternatives(branches: readonly PlacedBranch[], exclusive: boolean, place: Place): UnionNode {
  if (branches.length === 0) throw new DialectError(place, "a union without branches");
  const nodes = branches.map((branch, index): Branch => {
    if (isCatchAll(branch)) throw new DialectError(branch.place, "a catch-all in a union without a tag");
    const built = buildBranch(branch);
    const { node } = built;
    if (node.kind === "any" && index < branches.length - 1) {
      throw new DialectError(branch.place, "this branch accepts everything, so the branches after it are unreachable");
    }
    if (node.kind === "object" && !node.properties.some((property) => property.required)) {
      throw new DialectError(
        branch.place,
        "an alternative without a tag and without a required member fits every object",
      );
    }
    return built;
  });
  return { kind: "union", exclusive, branches: nodes };
}

/** Converts a branch into an alternative. */
export function buildBranch({ schema, place }: PlacedBranch): Branch {
  return { title: schema.title, doc: schema.description, node: buildNode(schema, place) };
}
