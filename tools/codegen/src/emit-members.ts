import { header } from "./header.js";
import type { Method, Node, ObjectNode, Property, SchemaIr, TaggedNode, UnionNode } from "./ir.js";

/**
 * Emits `members.gen.ts` of the conformance kit: the schema that the kit checks against, and the root members of the
 * messages of each side. The members of an agent include those of the unstable schema, because an agent may implement
 * it.
 */
export function emitMembers(stable: SchemaIr, unstable: SchemaIr): string {
  const client = {
    params: membersOfMethods(stable.methods.filter(isHandledBy("agent")), "params", [stable]),
    results: membersOfMethods(stable.methods.filter(isHandledBy("client", "request")), "result", [stable]),
  };
  const agent = {
    params: membersOfMethods(stable.methods.filter(isHandledBy("client")), "params", [stable, unstable]),
    results: membersOfMethods(stable.methods.filter(isHandledBy("agent", "request")), "result", [stable, unstable]),
    updates: updateMembers([stable, unstable]),
  };
  const { path, package: source, sha256 } = stable.source;
  return [
    header(stable),
    "",
    "/** The schema of version 1 that messages are checked against. */",
    "export const checkedSchema: { readonly schema: string; readonly schemaSha256: string } = {",
    `  schema: ${JSON.stringify(`${source.replace(/ (?=\S+$)/, "@")} ${path}`)},`,
    `  schemaSha256: ${JSON.stringify(sha256)},`,
    "};",
    "",
    "/** The members, beside `_meta`, of the params of what a client sends, and of its results, by method. */",
    ...table("knownMembers", client),
    "",
    "/** The members, beside `_meta`, of the params of what an agent sends, of its results, and of its updates, the unstable schema included. */",
    ...table("declaredMembers", agent),
    "",
  ].join("\n");
}

type Members = ReadonlyMap<string, ReadonlySet<string>>;

function isHandledBy(side: "agent" | "client", kind?: "request"): (method: Method) => boolean {
  return (method) =>
    (method.side === side || (method.side === "protocol" && kind === undefined)) &&
    (kind === undefined || method.kind === kind);
}

function membersOfMethods(methods: readonly Method[], part: "params" | "result", irs: readonly SchemaIr[]): Members {
  return new Map(
    methods.map((method) => [
      method.name,
      union(irs.map((ir) => membersOf(ir, { kind: "ref", name: method[part] ?? "" }))),
    ]),
  );
}

/** Returns the members of each variant of `SessionUpdate`, without its tag. */
function updateMembers(irs: readonly SchemaIr[]): Members {
  const updates = new Map<string, ReadonlySet<string>>();
  for (const ir of irs) {
    for (const { value, payload, properties } of taggedNode(ir, "SessionUpdate").variants) {
      const own = payload === undefined ? [] : [membersOf(ir, { kind: "ref", name: payload })];
      updates.set(value, union([updates.get(value) ?? new Set(), ...own, namesOf(properties)]));
    }
  }
  return updates;
}

function taggedNode(ir: SchemaIr, name: string): TaggedNode {
  const node = ir.definitions.get(name)?.node;
  if (node?.kind !== "tagged") throw new Error(`${ir.id}: "${name}" is not a tagged union`);
  return node;
}

/** Returns the members that an object of this form can have at its root, in any of its alternatives. */
function membersOf(ir: SchemaIr, node: Node): ReadonlySet<string> {
  switch (node.kind) {
    case "ref": {
      const definition = ir.definitions.get(node.name);
      return definition === undefined ? new Set() : membersOf(ir, definition.node);
    }
    case "nullable":
      return membersOf(ir, node.inner);
    case "object":
      return membersOfObject(ir, node);
    case "union":
      return membersOfUnion(ir, node);
    case "tagged":
      return membersOfTagged(ir, node);
    default:
      return new Set();
  }
}

function membersOfObject(ir: SchemaIr, { properties, flattened }: ObjectNode): ReadonlySet<string> {
  return union([namesOf(properties), ...(flattened === undefined ? [] : [membersOf(ir, flattened)])]);
}

function membersOfUnion(ir: SchemaIr, { branches }: UnionNode): ReadonlySet<string> {
  return union(branches.map(({ node }) => membersOf(ir, node)));
}

function membersOfTagged(ir: SchemaIr, { tag, variants, other, untagged }: TaggedNode): ReadonlySet<string> {
  const payloads = variants.flatMap(({ payload }) =>
    payload === undefined ? [] : [membersOf(ir, { kind: "ref", name: payload })],
  );
  const alternatives = [...untagged, ...(other === undefined ? [] : [other])];
  return union([
    new Set([tag]),
    ...payloads,
    ...variants.map(({ properties }) => namesOf(properties)),
    ...alternatives.map(({ node }) => membersOf(ir, node)),
  ]);
}

function namesOf(properties: readonly Property[]): ReadonlySet<string> {
  return new Set(properties.map(({ name }) => name).filter((name) => name !== "_meta"));
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function table(name: string, parts: Readonly<Record<string, Members>>): string[] {
  const fields = Object.keys(parts).map((part) => `  readonly ${part}: Readonly<Record<string, readonly string[]>>;`);
  const values = Object.entries(parts).flatMap(([part, members]) => [
    `  ${part}: {`,
    ...[...members]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([key, own]) =>
          `    ${JSON.stringify(key)}: [${[...own]
            .sort()
            .map((member) => JSON.stringify(member))
            .join(", ")}],`,
      ),
    "  },",
  ]);
  return [`export const ${name}: {`, ...fields, "} = {", ...values, "};"];
}
