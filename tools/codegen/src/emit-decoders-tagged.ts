import { checkForm, type DecoderModule, type Ending, type Form, literal, pascal } from "./emit-decoders-module.js";
import type { TaggedNode, Variant } from "./ir.js";

/** Returns the form of a tagged union. */
export function taggedForm(module: DecoderModule, node: TaggedNode, name: string): Form {
  const data = module.isHot ? undefined : taggedData(module, node, name);
  if (data !== undefined) return checkForm(data.check, "an object", data.changes);
  const { statements, changes } = taggedStatements(module, node, name);
  const check = module.write(`check${name}`, [
    `if (!${module.use("isObject")}(v)) return ${module.use("fail")}(run, v, "an object");`,
    ...statements,
  ]);
  return checkForm(check, "an object", changes);
}

/** Writes a `switch` on the tag, for a `v` that is an object. The issue of the variant is the issue of the union. */
export function taggedStatements(module: DecoderModule, node: TaggedNode, name: string): Ending {
  const untagged = untaggedCheck(module, node, name);
  const variants = node.variants.map((variant) => ({ tag: variant.value, ...variantCall(module, variant, name) }));
  const other = otherCheck(module, node, name);
  const calls = new Map<string, string[]>();
  for (const { tag, call } of variants) calls.set(call, [...(calls.get(call) ?? []), tag]);
  const cases = [...calls].map(([call, tags]) => {
    const labels = tags.map((tag) => `  case ${JSON.stringify(tag)}:\n`).join("");
    return `${labels}    return ${orUntagged(module, node, call, untagged?.check)};\n`;
  });
  const rest = unknownTag(module, node, untagged?.check, other?.check);
  return {
    statements: [
      ...(untagged !== undefined && (module.mode.recover || isOpen(module, node)) ? ["const start = run.n;"] : []),
      `switch (v.${node.tag}) {\n${cases.join("")}}`,
      rest,
    ],
    changes: module.mode.recover && [...variants, untagged, other].some((part) => part?.changes === true),
  };
}

/** Returns the union as data if its alternatives are only variants. Other unions are always functions. */
export function taggedData(
  module: DecoderModule,
  node: TaggedNode,
  name: string,
  variantsOf: string = name,
): Part | undefined {
  if (node.untagged.length > 0 || !isOpen(module, node)) return undefined;
  const variants = node.variants.map((variant) => ({
    tag: variant.value,
    ...variantCall(module, variant, variantsOf),
  }));
  const one = /^(?:true|(\w+)\(v, run\))$/;
  if (!variants.every(({ call }) => one.test(call))) return undefined;
  const table = literal(variants.map(({ tag, call }) => [tag, one.exec(call)?.[1] ?? module.use("anything")]));
  const other = otherCheck(module, node, variantsOf);
  const values = [JSON.stringify(node.tag), table, ...(other === undefined ? [] : [other.check])];
  return {
    check: module.data(`check${name}`, "tagged", values),
    changes: module.mode.recover && [...variants, other].some((part) => part?.changes === true),
  };
}

interface Part {
  readonly check: string;
  readonly changes: boolean;
}

function variantCall(module: DecoderModule, variant: Variant, name: string): { call: string; changes: boolean } {
  const own = `${name}${pascal(variant.value)}`;
  const forms = [
    ...(variant.payload === undefined ? [] : [module.definition(variant.payload)]),
    ...(variant.properties.length === 0 ? [] : [memberForm(module, variant, own)]),
  ];
  const calls = forms.map((form) => `${module.asCheck(form, own)}(v, run)`);
  return {
    call: calls.length === 0 ? "true" : calls.join(" && "),
    changes: forms.some((form) => form.kind === "call" && form.changes),
  };
}

function memberForm(module: DecoderModule, { properties }: Variant, own: string): Form {
  return module.formOf(module, { kind: "object", properties, extensible: false, flattened: undefined }, own);
}

/**
 * Returns the check of the alternative without the tag. No schema has two alternatives without it. For two, the decoder
 * would need a rule that states which of them to try first.
 */
function untaggedCheck(module: DecoderModule, { untagged }: TaggedNode, name: string): Part | undefined {
  const [branch, second] = untagged;
  if (second !== undefined) throw new Error(`${module.ir.id}: ${name} has two alternatives without the tag`);
  if (branch === undefined) return undefined;
  const own = `${name}${pascal(branch.title ?? "Untagged")}`;
  const form = module.formOf(module, branch.node, own);
  // This alternative changes the value, because it removes the tag.
  return { check: module.asCheck(form, own), changes: true };
}

/** Returns the check of the members that must be present beside an unknown tag, if any. */
function otherCheck(module: DecoderModule, { other }: TaggedNode, name: string): Part | undefined {
  if (other === undefined || (other.node.properties.length === 0 && other.node.flattened === undefined))
    return undefined;
  const own = `${name}Other`;
  const form = module.formOf(module, other.node, own);
  return { check: module.asCheck(form, own), changes: form.kind === "call" && form.changes };
}

function orUntagged(module: DecoderModule, { tag }: TaggedNode, call: string, untagged: string | undefined): string {
  if (untagged === undefined || call === "true") return call;
  return module.mode.recover
    ? `${call} || ${module.use("orUntagged")}(v, run, ${JSON.stringify(tag)}, start, ${untagged})`
    : `${call} || ${untagged}(v, run)`;
}

function isOpen(module: DecoderModule, node: TaggedNode): boolean {
  return node.other !== undefined || module.mode.openUnions;
}

/** Returns the code for a tag that matches no variant, and for a missing tag. */
function unknownTag(
  module: DecoderModule,
  node: TaggedNode,
  untagged: string | undefined,
  other: string | undefined,
): string {
  const tag = JSON.stringify(node.tag);
  const open = isOpen(module, node);
  if (open && untagged !== undefined) {
    const title = untaggedTitle(node);
    const more = [title, other].slice(0, other === undefined ? (title === "undefined" ? 0 : 1) : 2);
    return `return ${module.use("untaggedOr")}(${["v", "run", tag, "start", untagged, ...more].join(", ")});`;
  }
  if (open) {
    const any = `${module.use("anyTag")}(v, run, ${tag})`;
    return other === undefined ? `return ${any};` : `return ${any} && ${other}(v, run);`;
  }
  if (untagged !== undefined) {
    const cleaned = module.mode.recover && untaggedTitle(node) !== "undefined";
    return `return ${untagged}(v, run)${cleaned ? ` && ${module.use("tagless")}(v, run, ${tag})` : ""};`;
  }
  const values = JSON.stringify(node.variants.map((variant) => JSON.stringify(variant.value)).join(", "));
  return `return ${module.use("failOneOf")}(run, v.${node.tag}, ${values}) || ${module.use("inside")}(run, ${tag});`;
}

/** Returns the runtime's `title`. If there is a catch-all, a tag that equals the title belongs to it. */
function untaggedTitle({ tag, other, untagged: [branch] }: TaggedNode): string {
  const declares = branch?.node.kind === "object" && branch.node.properties.some(({ name }) => name === tag);
  if (declares) return "undefined";
  return other === undefined && branch?.title !== undefined ? JSON.stringify(branch.title) : "null";
}
