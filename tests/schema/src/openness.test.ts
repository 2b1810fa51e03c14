import type { SchemaIr, TaggedNode } from "@acp-kit/codegen/ir";
import type { Issue } from "@acp-kit/schema/decode";
import { expect, it } from "vitest";
import { Arbitraries } from "./arbitrary.js";
import { compileChecks, modes } from "./compile-checks.js";
import { fuzz, patient } from "./fuzz.js";
import { mutated } from "./mutate.js";
import { subjects } from "./schemas.js";

// The decoders that the official SDK is compared with have closed v1 unions. This test compares them with those of the
// product.

it.each(subjects)("open decoders of $id differ from closed ones only for unknown tags", patient, async ({ ir }) => {
  const open = await compileChecks(ir, modes.product);
  const closed = await compileChecks(ir, modes.closed);
  const arbitraries = new Arbitraries(ir);
  const unions = taggedUnions(ir);
  for (const [name, decode] of open) {
    fuzz(mutated(arbitraries.valueOf(name)), (text) => {
      const ours = decode.try(JSON.parse(text));
      const theirs = closed.get(name)?.try(JSON.parse(text));
      if (!ours.ok && theirs?.ok === false) return undefined;
      if (ours.ok && theirs?.ok && JSON.stringify(ours.value) === JSON.stringify(theirs.value)) return undefined;
      const faults = theirs?.ok === true ? theirs.salvaged : (theirs?.issues ?? []);
      if (ours.ok && faults.some((fault) => isAboutTag(JSON.parse(text), fault, unions))) return undefined;
      return `${name}: open ${JSON.stringify(ours)}, closed ${JSON.stringify(theirs)}`;
    });
  }
});

it.each(subjects)("decoders of $id keep an unknown tag with all members beside it", patient, async ({ ir }) => {
  const open = await compileChecks(ir, modes.product);
  const unions = [...ir.definitions.values()].flatMap(({ name, node }) =>
    node.kind === "tagged" ? [{ name, node }] : [],
  );
  expect(unions.length).toBeGreaterThan(5);
  for (const { name, node } of unions) {
    const required = node.other?.node.properties.filter((property) => property.required) ?? [];
    const value = {
      [node.tag]: "_vendor/new",
      ...Object.fromEntries(required.map((property) => [property.name, "x"])),
      payload: { deep: [null, 1] },
    };
    const result = open.get(name)?.try(structuredClone(value));
    expect(result, name).toEqual({ ok: true, value, salvaged: [] });
  }
});

function taggedUnions(ir: SchemaIr): TaggedNode[] {
  return [...ir.definitions.values()].flatMap(({ node }) => {
    if (node.kind === "tagged") return [node];
    return node.kind === "object" && node.flattened?.kind === "tagged" ? [node.flattened] : [];
  });
}

/**
 * Whether the issue is about an unknown tag: the closed decoder reports the tag, or has tried the alternative without a
 * tag.
 */
function isAboutTag(value: unknown, { path, message }: Issue, unions: readonly TaggedNode[]): boolean {
  if (message.includes("must be one of")) return true;
  let here = value;
  for (const key of [undefined, ...path]) {
    if (key !== undefined) here = (here as Record<PropertyKey, unknown> | undefined)?.[key];
    const tag = (name: string) => (here as Record<string, unknown> | null | undefined)?.[name];
    const isUnknown = ({ tag: name, variants, untagged }: TaggedNode) =>
      untagged.length > 0 && typeof tag(name) === "string" && !variants.some((variant) => variant.value === tag(name));
    if (unions.some(isUnknown)) return true;
  }
  return false;
}
