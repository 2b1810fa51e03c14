import type { Definition, Node, Property } from "@acp-kit/codegen/ir";
import type { Difference } from "../difference.js";

/** Compares the descriptions of the definitions that both schemas have: one difference for each definition. */
export function compareDocumentation(
  before: ReadonlyMap<string, Definition>,
  after: ReadonlyMap<string, Definition>,
  renamed: ReadonlyMap<string, string>,
): readonly Difference[] {
  return [...before.values()].flatMap((a): Difference[] => {
    const b = after.get(renamed.get(a.name) ?? a.name);
    if (b === undefined) return [];
    const now = docsOf(b);
    const changed = [...docsOf(a)].flatMap(([step, doc]) => {
      const is = now.get(step);
      return is === undefined || is === doc
        ? []
        : [{ path: `${b.name}${step}`, linksOnly: withoutLinks(doc) === withoutLinks(is) }];
    });
    if (changed.length === 0) return [];
    const paths = changed.filter(({ linksOnly }) => !linksOnly).map(({ path }) => `\`${path}\``);
    const says =
      paths.length === 0
        ? "has the same description, but with different links"
        : `has a changed description: ${paths.join(", ")}`;
    const rest = { directions: [], affects: [], methods: [], names: [a.name] };
    return [{ effect: "documentation", code: "documentation", path: b.name, says, ...rest }];
  });
}

/** Returns the descriptions of a definition by place: `""`, `.name`, `(tag)`. A missing one is an empty text. */
function docsOf({ doc, node }: Definition): ReadonlyMap<string, string> {
  const docs = new Map([["", doc ?? ""]]);
  const members = (path: string, properties: readonly Property[]): void => {
    for (const property of properties) {
      docs.set(`${path}.${property.name}`, property.doc ?? "");
      visit(`${path}.${property.name}`, property.node);
    }
  };
  const visit = (path: string, one: Node): void => {
    switch (one.kind) {
      case "nullable":
        visit(path, one.inner);
        return;
      case "array":
        visit(`${path}[]`, one.items);
        return;
      case "record":
        visit(`${path}{}`, one.values);
        return;
      case "enum":
        for (const { value, doc: text } of one.members) docs.set(`${path}(${value})`, text ?? "");
        if (one.open !== undefined) docs.set(`${path}(other)`, one.open.doc ?? "");
        return;
      case "object":
        members(path, one.properties);
        if (one.flattened !== undefined) visit(path, one.flattened);
        return;
      case "union":
        for (const branch of one.branches) {
          const step = branch.title ?? (branch.node.kind === "ref" ? branch.node.name : branch.node.kind);
          docs.set(`${path}(${step})`, branch.doc ?? "");
          visit(`${path}(${step})`, branch.node);
        }
        return;
      case "tagged":
        for (const variant of one.variants) {
          docs.set(`${path}(${variant.value})`, variant.doc ?? "");
          members(`${path}(${variant.value})`, variant.properties);
        }
        for (const branch of [...one.untagged, ...(one.other === undefined ? [] : [one.other])]) {
          docs.set(`${path}(${branch.title ?? "other"})`, branch.doc ?? "");
          visit(`${path}(${branch.title ?? "other"})`, branch.node);
        }
    }
  };
  visit("", node);
  return docs;
}

/** Returns a description without link targets and rustdoc remnants: a moved page is no new description. */
function withoutLinks(doc: string): string {
  return doc
    .replaceAll(/\]\([^()]*\)/g, "]") // No further than the next parenthesis, so that matching stays linear.
    .replaceAll(/https?:\/\/\S+/g, "")
    .replaceAll(/[[\]`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
