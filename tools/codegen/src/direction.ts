import type { Node, Property, SchemaIr } from "./ir.js";
import { taggedOf } from "./names.js";

/** Whether a type is for sent values (closed) or received ones, which include unknown variants. */
export type Direction = "outgoing" | "incoming";

/** The definitions with a receiving form of their own: tagged unions, and everything that contains one. */
export function openDefinitions(ir: SchemaIr): ReadonlySet<string> {
  const open = new Set(
    [...ir.definitions.values()].filter(({ node }) => taggedOf(node) !== undefined).map(({ name }) => name),
  );
  for (let size = -1; size !== open.size; ) {
    size = open.size;
    for (const { name, node } of ir.definitions.values()) if (mentions(node, open)) open.add(name);
  }
  return open;
}

/** Whether a node refers, at any depth, to one of the given definitions. */
export function mentions(node: Node, names: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case "ref":
      return names.has(node.name);
    case "nullable":
      return mentions(node.inner, names);
    case "array":
      return mentions(node.items, names);
    case "record":
      return mentions(node.values, names);
    case "object":
      return mentionsIn(node.properties, names) || (node.flattened !== undefined && mentions(node.flattened, names));
    case "union":
      return node.branches.some((branch) => mentions(branch.node, names));
    case "tagged":
      return (
        node.variants.some(({ payload, properties }) => names.has(payload ?? "") || mentionsIn(properties, names)) ||
        node.untagged.some((branch) => mentions(branch.node, names)) ||
        (node.other !== undefined && mentions(node.other.node, names))
      );
    default:
      return false;
  }
}

function mentionsIn(properties: readonly Property[], names: ReadonlySet<string>): boolean {
  return properties.some((property) => mentions(property.node, names));
}
