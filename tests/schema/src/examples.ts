import type { Node, ObjectNode, Property, SchemaIr, TaggedNode, Variant } from "@acp-kit/codegen/ir";
import { numberBounds } from "@acp-kit/codegen/number-bounds";

type Members = Record<string, unknown>;

/** One fixed value per definition: with every member (`full`), or with only the required members (`minimal`). */
export class Examples {
  readonly #ir: SchemaIr;
  readonly #full: boolean;

  constructor(ir: SchemaIr, kind: "full" | "minimal") {
    this.#ir = ir;
    this.#full = kind === "full";
  }

  of(name: string): unknown {
    const definition = this.#ir.definitions.get(name);
    if (definition === undefined) throw new Error(`${name} is not defined`);
    return this.#node(definition.node);
  }

  /** Returns one value for each variant of a tagged union. */
  variants({ tag, variants }: TaggedNode): Members[] {
    return variants.map((variant) => this.#variant(tag, variant));
  }

  #node(node: Node): unknown {
    switch (node.kind) {
      case "any":
        return { any: ["thing"] };
      case "null":
        return null;
      case "boolean":
        return true;
      case "const":
        return node.value;
      case "string":
        if (node.format === "uri") return "file:///work/a.ts";
        return node.format === "date-time" ? "2026-11-02T10:20:30Z" : "text";
      case "number":
      case "integer":
        return Math.min(Math.max(1, numberBounds(node).minimum), numberBounds(node).maximum);
      case "enum":
        return node.members[0]?.value;
      case "ref":
        return this.of(node.name);
      case "nullable":
        return this.#full ? this.#node(node.inner) : null;
      case "array":
        return this.#full || node.minItems !== undefined ? [this.#node(node.items)] : [];
      case "record":
        return this.#full ? { key: this.#node(node.values) } : {};
      case "object":
        return this.#object(node);
      case "union":
        return this.#node(node.branches[0]?.node ?? { kind: "any" });
      case "tagged":
        return this.variants(node)[0];
    }
  }

  #object({ properties, flattened }: ObjectNode): Members {
    const members = this.#members(properties);
    if (flattened === undefined) return members;
    return { ...members, ...(this.#node(flattened) as Members) };
  }

  #members(properties: readonly Property[]): Members {
    const present = properties.filter(({ required }) => required || this.#full);
    return Object.fromEntries(present.map(({ name, node }) => [name, this.#node(node)]));
  }

  #variant(tag: string, { value, payload, properties }: Variant): Members {
    const inherited = payload === undefined ? {} : (this.of(payload) as Members);
    return { ...inherited, ...this.#members(properties), [tag]: value };
  }
}

/** Returns a value of a JSON type that the node does not accept; `undefined` if it accepts every type. */
export function wrongFor(ir: SchemaIr, node: Node): unknown {
  const allowed = new Set(jsonTypes(ir, node));
  const samples = { object: { wrong: 1 }, string: "wrong", number: 1.5, boolean: true, array: ["wrong"] };
  return Object.entries(samples).find(([type]) => !allowed.has(type))?.[1];
}

function jsonTypes(ir: SchemaIr, node: Node): readonly string[] {
  switch (node.kind) {
    case "any":
      return ["object", "string", "number", "boolean", "array", "null"];
    case "ref":
      return jsonTypes(ir, ir.definitions.get(node.name)?.node ?? { kind: "any" });
    case "nullable":
      return ["null", ...jsonTypes(ir, node.inner)];
    case "union":
      return node.branches.flatMap((branch) => jsonTypes(ir, branch.node));
    case "const":
      return [typeof node.value];
    case "enum":
      return [node.base === "string" ? "string" : "number"];
    case "integer":
      return ["number"];
    case "record":
    case "tagged":
      return ["object"];
    default:
      return [node.kind];
  }
}
