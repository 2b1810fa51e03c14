import { buildMembers, buildProperties } from "./build-node.js";
import { buildBranch, type PlacedBranch } from "./build-union.js";
import type { Branch, Property, TaggedNode, Variant } from "./ir.js";
import { below, DialectError, type Place } from "./place.js";
import { type RawSchema, wrappedName } from "./raw-schema.js";

/** Returns the member that identifies a branch, required and a constant string; `undefined` if there is none. */
export function variantTag({ schema, place }: PlacedBranch): string | undefined {
  const tags = Object.entries(schema.properties ?? {})
    .filter(([name, property]) => typeof property.const === "string" && schema.required?.includes(name))
    .map(([name]) => name);
  if (tags.length > 1) throw new DialectError(place, `two members could be the tag: ${tags.join(", ")}`);
  return tags[0];
}

/** Whether a branch is the catch-all (`title: "other"` and `not`), for tags that the schema lacks. */
export function isCatchAll({ schema }: PlacedBranch): boolean {
  return schema.not !== undefined;
}

/** Converts a tagged union: variants, at most one catch-all, and any number of branches without the tag. */
export function buildTagged(
  branches: readonly PlacedBranch[],
  discriminator: string | undefined,
  beside: readonly Property[] | undefined,
  place: Place,
): TaggedNode {
  const tag = sharedTag(branches, discriminator, place);
  const variants: Variant[] = [];
  const untagged: Branch[] = [];
  const catchAlls: PlacedBranch[] = [];
  for (const branch of branches) {
    if (isCatchAll(branch)) catchAlls.push(branch);
    else if (variantTag(branch) === undefined) untagged.push(untaggedBranch(branch, discriminator));
    else variants.push(buildVariant(branch, tag, variants));
  }
  const [catchAll, second] = catchAlls;
  if (second !== undefined) throw new DialectError(second.place, "a second catch-all");
  return {
    kind: "tagged",
    tag,
    tagOptional: isTagOptional(tag, beside, place),
    variants,
    other: catchAll && buildCatchAll(catchAll, tag, variants),
    untagged,
  };
}

function sharedTag(branches: readonly PlacedBranch[], discriminator: string | undefined, place: Place): string {
  const tags = new Set(branches.flatMap((branch) => variantTag(branch) ?? []));
  const [tag, second] = tags;
  if (tag === undefined || second !== undefined) {
    throw new DialectError(place, `a tagged union whose branches disagree about the tag: ${[...tags].join(", ")}`);
  }
  if (discriminator !== undefined && discriminator !== tag) {
    throw new DialectError(
      below(place, "discriminator"),
      `the discriminator is "${discriminator}", the branches say "${tag}"`,
    );
  }
  return tag;
}

function buildVariant({ schema, place }: PlacedBranch, tag: string, earlier: readonly Variant[]): Variant {
  const value = schema.properties?.[tag]?.const;
  if (typeof value !== "string") throw new DialectError(place, `the tag "${tag}" is not a constant string`);
  if (earlier.some((variant) => variant.value === value))
    throw new DialectError(place, `a second variant tagged "${value}"`);
  return {
    value,
    title: schema.title,
    doc: schema.description,
    payload: wrappedName(schema),
    properties: buildProperties(schema, [tag], place),
  };
}

function untaggedBranch(branch: PlacedBranch, discriminator: string | undefined): Branch {
  const built = buildBranch(branch);
  if (discriminator !== undefined)
    throw new DialectError(branch.place, "a branch without the tag beside a discriminator");
  if (built.node.kind !== "ref" && built.node.kind !== "object") {
    throw new DialectError(branch.place, `a tagged union of objects has a branch of kind ${built.node.kind}`);
  }
  return built;
}

/** Converts the catch-all, which must refuse exactly the known tags: they may have invalid payloads. */
function buildCatchAll(
  { schema, place }: PlacedBranch,
  tag: string,
  variants: readonly Variant[],
): TaggedNode["other"] {
  const declared = schema.properties?.[tag];
  if (declared?.type !== "string" || declared.const !== undefined || !schema.required?.includes(tag)) {
    throw new DialectError(place, `a catch-all that does not require "${tag}" as a string`);
  }
  const refused = schema.not?.anyOf?.map((branch) => refusedTag(branch, tag)) ?? [];
  const known = variants.map((variant) => variant.value);
  if (refused.length !== known.length || !known.every((value) => refused.includes(value))) {
    throw new DialectError(
      below(place, "not"),
      `the catch-all refuses [${refused.join(", ")}], but the variants are [${known.join(", ")}]`,
    );
  }
  return { title: schema.title, doc: schema.description, node: buildMembers(schema, [tag], place) };
}

function refusedTag(schema: RawSchema, tag: string): string | number | undefined {
  const names = Object.keys(schema.properties ?? {});
  return names.length === 1 && schema.required?.includes(tag) ? schema.properties?.[tag]?.const : undefined;
}

/** Whether the object that contains the union declares the tag, too, as an optional nullable string. */
function isTagOptional(tag: string, beside: readonly Property[] | undefined, place: Place): boolean {
  const declared = beside?.find((property) => property.name === tag);
  if (declared === undefined) return false;
  const { node } = declared;
  if (declared.required || node.kind !== "nullable" || node.inner.kind !== "string") {
    throw new DialectError(
      below(place, "properties", tag),
      "a tag declared beside its union must be an optional nullable string",
    );
  }
  return true;
}
