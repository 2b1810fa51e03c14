import type { Node, SchemaIr } from "./ir.js";

/** A `flag` is on when it is `true`, a `marker` when it is an object (even `{}`), a `group` has others. */
export type CapabilityKind = "flag" | "marker" | "group";

/** Maps the path of each capability (`agent.sessionCapabilities.list`) to its kind, in the schema's order. */
export type CapabilityTree = ReadonlyMap<string, CapabilityKind>;

/** The definitions at the roots of the two trees, by the side that advertises them. */
export const capabilityRoots: Readonly<Record<string, string>> = {
  agent: "AgentCapabilities",
  client: "ClientCapabilities",
};

/**
 * Walks both capability definitions of a schema.
 *
 * @param switches - the paths of groups that are also markers.
 * @param isStrict - whether to throw for a capability that is neither a boolean nor an object, as in early drafts.
 * Default: true.
 */
export function capabilityTree(ir: SchemaIr, switches: readonly string[], isStrict = true): CapabilityTree {
  const tree = new Map<string, CapabilityKind>();
  const targetOf = (name: string): Node => {
    const target = ir.definitions.get(name);
    if (target === undefined) throw new Error(`${ir.id}: there is no definition "${name}"`);
    return target.node;
  };
  const walk = (node: Node, path: string): void => {
    if (node.kind === "nullable") walk(node.inner, path);
    else if (node.kind === "ref") walk(targetOf(node.name), path);
    else if (node.kind === "boolean") tree.set(path, "flag");
    else if (node.kind === "object") {
      const members = node.properties.filter((property) => property.name !== "_meta");
      tree.set(path, members.length === 0 || switches.includes(path) ? "marker" : "group");
      for (const member of members) walk(member.node, `${path}.${member.name}`);
    } else if (isStrict) throw new Error(`${ir.id}: the capability "${path}" is neither a boolean nor an object`);
  };
  for (const [side, definition] of Object.entries(capabilityRoots)) {
    const root = ir.definitions.get(definition);
    if (root !== undefined) walk(root.node, side);
    tree.delete(side);
  }
  return tree;
}
