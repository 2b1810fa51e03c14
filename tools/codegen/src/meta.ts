import { plainDoc } from "./docs.js";
import type { Node, Property, SchemaIr } from "./ir.js";
import { type Declaration, described, named } from "./lower.js";

/**
 * `_meta` is a member of almost every object, nearly always with the same paragraph of documentation. The paragraph is
 * printed once, on the type `Meta`; otherwise it would be a quarter of the declarations.
 */
export class Meta {
  readonly #doc: string | undefined;
  readonly #ir: SchemaIr;

  constructor(ir: SchemaIr) {
    this.#ir = ir;
    this.#doc = mostFrequent([...ir.definitions.values()].flatMap(({ node }) => metaDocs(node)));
  }

  /** Whether the type of a member is `Meta`. */
  covers({ name, node }: Property): boolean {
    if (this.#doc === undefined || name !== "_meta" || node.kind !== "nullable") return false;
    return node.inner.kind === "record" && node.inner.values.kind === "any";
  }

  /** Returns the documentation of the member, if it differs from the usual paragraph. */
  doc(property: Property): string | undefined {
    return property.doc === this.#doc ? undefined : plainDoc(property.doc, this.#ir.definitions);
  }

  declarations(): Declaration[] {
    if (this.#doc === undefined) return [];
    return [
      { name: "Meta", schema: described(named("Record<string, unknown>"), plainDoc(this.#doc, this.#ir.definitions)) },
    ];
  }
}

function metaDocs(node: Node): string[] {
  if (node.kind !== "object") return [];
  return node.properties.flatMap(({ name, doc }) => (name === "_meta" && doc !== undefined ? [doc] : []));
}

/** Returns the most frequent text. If several texts are equally frequent, returns the first of them. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].reduce<[string, number] | undefined>(
    (best, entry) => (best && best[1] >= entry[1] ? best : entry),
    undefined,
  )?.[0];
}
