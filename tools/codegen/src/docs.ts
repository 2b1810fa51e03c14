import type { Branch, Definition, EnumNode, Node, Property } from "./ir.js";

const site = "https://agentclientprotocol.com";
/** The schema's mark of unstable parts, for which the generated code has the tag `@experimental`. */
const unstable = "**UNSTABLE**";
const unstableNotice = "This capability is not part of the spec yet, and may be removed or changed at any point.";
const wideInteger =
  "A 64-bit integer on the wire. Decoders refuse values beyond `Number.MAX_SAFE_INTEGER` rather than round them.";

/** Converts Markdown to TSDoc: rustdoc references become links or code, and relative links absolute. */
export function tsdoc(markdown: string, definitions: ReadonlyMap<string, Definition>): string {
  return markdown
    .replaceAll("\r\n", "\n")
    .replaceAll("](/", `](${site}/`)
    .replaceAll(/\[`([A-Za-z0-9_:]+)`\](?![(:])/g, (_, name: string) =>
      definitions.has(name) ? `{@link ${name}}` : `\`${name.replaceAll("::", ".")}\``,
    );
}

/** Returns the documentation of a definition: its description, then the meaning of its alternatives. */
export function definitionDoc(
  definition: Definition,
  definitions: ReadonlyMap<string, Definition>,
): string | undefined {
  const { doc, node } = definition;
  return compose(doc, [alternatives(node), ...constraints(node)], [], definitions);
}

/** Returns the documentation of a member: its description, constraints beyond its type, and its default. */
export function propertyDoc(property: Property, definitions: ReadonlyMap<string, Definition>): string | undefined {
  const tags = property.default === undefined ? [] : [`@defaultValue \`${JSON.stringify(property.default.value)}\``];
  return compose(property.doc, constraints(property.node), tags, definitions);
}

/** Returns the doc comment of a part of the schema that has a description, but no notes and no tags. */
export function plainDoc(doc: string | undefined, definitions: ReadonlyMap<string, Definition>): string | undefined {
  return compose(doc, [], [], definitions);
}

function compose(
  doc: string | undefined,
  notes: readonly (string | undefined)[],
  tags: readonly string[],
  definitions: ReadonlyMap<string, Definition>,
): string | undefined {
  const { text, experimental } = stability(doc);
  const all = experimental ? [...tags, "@experimental"] : tags;
  const parts = [text, ...notes, all.length > 0 ? all.join("\n") : undefined].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : tsdoc(parts.join("\n\n"), definitions);
}

/** Returns the first paragraph of a description on one line, without the marker for experimental parts. */
export function firstParagraph(
  doc: string | undefined,
  definitions: ReadonlyMap<string, Definition>,
): string | undefined {
  const [first] = stability(doc).text?.split("\n\n") ?? [];
  return first === undefined || first === "" ? undefined : tsdoc(first, definitions).replaceAll("\n", " ");
}

function stability(doc: string | undefined): { text: string | undefined; experimental: boolean } {
  if (doc === undefined || !doc.startsWith(unstable)) return { text: doc, experimental: false };
  const text = doc.slice(unstable.length).trimStart();
  return {
    text: text.startsWith(unstableNotice) ? text.slice(unstableNotice.length).trimStart() : text,
    experimental: true,
  };
}

/** Lists the documentation of union members on the union, because TypeScript shows none of union members. */
function alternatives(node: Node): string | undefined {
  if (node.kind === "enum") return list(enumItems(node));
  if (node.kind === "union") return list(node.branches.flatMap((branch) => branchItem(branch)));
  return undefined;
}

function enumItems(node: EnumNode): [string, string][] {
  const known = node.members.flatMap(({ value, title, doc }): [string, string][] => {
    const text = [title, doc].filter((part) => part !== undefined).join(". ");
    return text === "" ? [] : [[`\`${value}\``, text]];
  });
  return node.open?.doc === undefined ? known : [...known, ["anything else", node.open.doc]];
}

function branchItem({ title, doc }: Branch): [string, string][] {
  return title === undefined || doc === undefined ? [] : [[title, doc]];
}

function list(items: readonly [string, string][]): string | undefined {
  if (items.length === 0) return undefined;
  return items
    .map(([term, text]) => `- ${term}: ${text.replaceAll("\n", "\n  ").replaceAll("\n  \n", "\n\n")}`)
    .join("\n");
}

function constraints(node: Node): string[] {
  switch (node.kind) {
    case "nullable":
      return constraints(node.inner);
    case "union":
      return node.branches.some((branch) => branch.node.kind === "integer" && isWide(branch.node.format))
        ? [wideInteger]
        : [];
    case "array":
      return node.minItems === undefined
        ? []
        : [`At least ${node.minItems} ${node.minItems === 1 ? "item" : "items"}.`];
    case "string":
      return node.minLength === undefined
        ? []
        : [`At least ${node.minLength} ${node.minLength === 1 ? "character" : "characters"}.`];
    case "integer":
    case "number":
      return [...range(node.minimum, node.maximum), ...(isWide(node.format) ? [wideInteger] : [])];
    default:
      return [];
  }
}

function isWide(format: string | undefined): boolean {
  return format === "int64" || format === "uint64";
}

/** Returns the documentation of a range, without `minimum: 0`, which every unsigned format has. */
function range(minimum: number | undefined, maximum: number | undefined): string[] {
  if (maximum !== undefined) return [`Between ${minimum ?? "…"} and ${maximum}.`];
  return minimum === undefined || minimum === 0 ? [] : [`At least ${minimum}.`];
}
