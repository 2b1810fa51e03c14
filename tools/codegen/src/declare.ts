import type { JSONSchema } from "json-schema-to-typescript";
import { Base, changed } from "./declare-base.js";
import { declareTagged } from "./declare-tagged.js";
import type { Direction } from "./direction.js";
import { definitionDoc } from "./docs.js";
import type { Definition } from "./ir.js";
import { type Declaration, described, type Lowering, named } from "./lower.js";
import { taggedOf } from "./names.js";

/** Returns the types of one definition: its own type, the types of its variants, and receiving forms that differ. */
export function declare(definition: Definition, lowering: Lowering): Declaration[] {
  const { name, node } = definition;
  if (taggedOf(node) !== undefined) return declareTagged(definition, lowering);
  const base =
    node.kind === "object" && node.flattened !== undefined ? new Base(name, node, undefined, lowering) : undefined;
  const doc = definitionDoc(definition, lowering.ir.definitions);
  const own = { name, schema: described(shape(definition, base, "outgoing", lowering), doc) };
  return [...(base?.declarations() ?? []), own, ...receiving(definition, base, lowering)];
}

function receiving(definition: Definition, base: Base | undefined, lowering: Lowering): Declaration[] {
  const { name, node } = definition;
  if (!lowering.open.has(name)) return [];
  const doc = `{@link ${name}} as it arrives.`;
  const plain = node.kind === "object" && base === undefined;
  const schema = plain ? changed(name, node, lowering) : shape(definition, base, "incoming", lowering);
  return [{ name: lowering.names.incoming(name), schema: described(schema, doc) }];
}

function shape(
  { name, node }: Definition,
  base: Base | undefined,
  direction: Direction,
  lowering: Lowering,
): JSONSchema {
  // The optional member never exists. With it, TypeScript distinguishes ids of different kinds, but the type still
  // accepts every string.
  if (node.kind === "string") return named(`string & { readonly __name?: ${JSON.stringify(name)} }`);
  if (node.kind !== "object" || node.flattened === undefined) return lowering.node(node, direction);
  const parents = base?.names(direction) ?? [];
  const union = lowering.node(node.flattened, direction);
  return parents.length === 0 ? union : { allOf: [...parents.map(named), union] };
}
