import type { Branch, Node, SchemaIr, UnionNode } from "@acp-kit/codegen/ir";
import { allMembers, alternativesOf, describe, type Variant } from "./alternatives.js";
import type { Findings, Place } from "./finding.js";

/** Whether `oneOf` refuses values that `anyOf` accepts: types or tags may exclude each other anyway. */
export function isExclusive(ir: SchemaIr, { exclusive, branches }: UnionNode): boolean {
  return exclusive && branches.some((a, index) => branches.slice(index + 1).some((b) => overlap(ir, a.node, b.node)));
}

/**
 * Reports alternatives whose order has changed. The first match counts, so a value that matches two alternatives is
 * then decoded as the other one. If no value matches both, the order has no effect.
 */
export function compareOrder(findings: Findings, place: Place, ir: SchemaIr, a: UnionNode, b: UnionNode): void {
  if (a.exclusive && b.exclusive) return;
  const position = new Map(b.branches.map((branch, index) => [keyOf(branch), index]));
  const kept = a.branches.filter((branch) => position.has(keyOf(branch)));
  for (const [index, first] of kept.entries()) {
    for (const second of kept.slice(index + 1)) {
      const [x = 0, y = 0] = [first, second].map((branch) => position.get(keyOf(branch)));
      if (x < y || !overlap(ir, first.node, second.node)) continue;
      const [one, other] = [nameOf(first), nameOf(second)];
      const what = `decodes a value that matches both ${other} and ${one} as ${other} now; previously as ${one}`;
      findings.add(place, { code: "order", change: "decoder", what });
    }
  }
}

const nameOf = ({ title, node }: Branch): string => (title === undefined ? describe(node) : `\`${title}\``);
const keyOf = ({ title, node }: Branch): string =>
  node.kind === "ref" ? node.name : `${node.kind} ${title ?? describe(node)}`;

/** Whether some value could match both types. */
function overlap(ir: SchemaIr, a: Node, b: Node): boolean {
  const [x, y] = [alternativesOf(ir, a), alternativesOf(ir, b)];
  const kinds = (one: typeof x): readonly string[] =>
    one.scalars.map(({ kind }) => (kind === "integer" ? "number" : kind));
  return (
    x.any ||
    y.any ||
    (x.null && y.null) ||
    (x.boolean && y.boolean) ||
    kinds(x).some((kind) => kinds(y).includes(kind)) ||
    // The empty list matches both.
    (x.lists.length > 0 && y.lists.length > 0) ||
    x.variants.some((one) => y.variants.some((other) => variantsOverlap(ir, one, other)))
  );
}

function variantsOverlap(ir: SchemaIr, a: Variant, b: Variant): boolean {
  const others = allMembers(ir, b);
  return ![...allMembers(ir, a)].some(([name, { node, required }]) => {
    const other = others.get(name);
    const constants = node.kind === "const" && other?.node.kind === "const";
    return constants && required && other.required && node.value !== other.node.value;
  });
}
