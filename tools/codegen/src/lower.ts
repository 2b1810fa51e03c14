import type { JSONSchema } from "json-schema-to-typescript";
import { type Direction, mentions } from "./direction.js";
import { firstParagraph, propertyDoc } from "./docs.js";
import type { EnumNode, Node, ObjectNode, Property, SchemaIr } from "./ir.js";
import { Meta } from "./meta.js";
import { Names } from "./names.js";

/** One exported type: its name and the JSON Schema that json-schema-to-typescript prints. */
export interface Declaration {
  readonly name: string;
  readonly schema: JSONSchema;
}

/**
 * Converts IR nodes to the few forms of JSON Schema that json-schema-to-typescript prints well.
 *
 * References become a `tsType` with a name, because the printer would copy the target of any other reference. Each
 * declaration is printed separately, so that this class determines names and order.
 */
export class Lowering {
  readonly ir: SchemaIr;
  readonly names: Names;
  readonly meta: Meta;
  /** The definitions that have a receiving form of their own. */
  readonly open: ReadonlySet<string>;

  constructor(ir: SchemaIr, open: ReadonlySet<string>) {
    this.ir = ir;
    this.names = new Names(ir);
    this.meta = new Meta(ir);
    this.open = open;
  }

  /** Returns the name of a definition's type for a direction. */
  nameOf(definition: string, direction: Direction): string {
    return direction === "incoming" && this.open.has(definition) ? this.names.incoming(definition) : definition;
  }

  /** Whether the receiving form of any of these nodes differs from the sending form. */
  differs(...nodes: readonly Node[]): boolean {
    return nodes.some((node) => mentions(node, this.open));
  }

  node(node: Node, direction: Direction): JSONSchema {
    switch (node.kind) {
      case "any":
        return named("unknown");
      case "null":
      case "boolean":
      case "string":
        return { type: node.kind };
      case "integer":
      case "number":
        return { type: "number" };
      case "const":
        return { const: node.value };
      case "enum":
        return enumSchema(node);
      case "ref":
        return named(this.nameOf(node.name, direction));
      case "nullable":
        return { anyOf: [this.node(node.inner, direction), { type: "null" }] };
      case "array":
        return { type: "array", items: this.node(node.items, direction) };
      case "record":
        return this.#record(node.values, direction);
      case "object":
        return this.#object(node, direction);
      case "union":
        // If one alternative accepts every value, the other alternatives are only documentation.
        if (node.branches.some((branch) => branch.node.kind === "any")) return named("unknown");
        return { anyOf: node.branches.map((branch) => this.node(branch.node, direction)) };
      case "tagged":
        throw new Error(
          `${this.ir.id}: a union tagged "${node.tag}" stands inside another type; only definitions have names for its variants`,
        );
    }
  }

  #object(node: ObjectNode, direction: Direction): JSONSchema {
    if (node.flattened !== undefined) {
      throw new Error(
        `${this.ir.id}: members beside a union stand inside another type; only definitions can have both`,
      );
    }
    return node.properties.length === 0 && !node.extensible
      ? named("Record<string, unknown>") // An empty interface would accept strings and numbers.
      : { ...this.members(node.properties, direction), additionalProperties: node.extensible };
  }

  members(properties: readonly Property[], direction: Direction): JSONSchema {
    return {
      type: "object",
      properties: Object.fromEntries(properties.map((property) => [property.name, this.#member(property, direction)])),
      required: properties.filter((property) => property.required).map((property) => property.name),
      additionalProperties: false,
    };
  }

  /** Whether an `interface` can extend the definition: an object with members and without a union. */
  isInterface(definition: string): boolean {
    const node = this.ir.definitions.get(definition)?.node;
    if (node?.kind === "ref") return this.isInterface(node.name);
    return node?.kind === "object" && node.flattened === undefined && node.properties.length > 0;
  }

  #member(property: Property, direction: Direction): JSONSchema {
    if (this.meta.covers(property)) return described(named("(Meta | null)"), this.meta.doc(property));
    // Only the sending form has the documentation.
    const doc =
      direction === "outgoing"
        ? propertyDoc(property, this.ir.definitions)
        : firstParagraph(property.doc, this.ir.definitions);
    return described(this.node(property.node, direction), doc);
  }

  #record(values: Node, direction: Direction): JSONSchema {
    if (values.kind === "any") return named("Record<string, unknown>");
    if (values.kind === "string") return named("Record<string, string>");
    if (values.kind === "ref") return named(`Record<string, ${this.nameOf(values.name, direction)}>`);
    return { type: "object", additionalProperties: this.node(values, direction) };
  }
}

/** Returns a TypeScript type that the printer prints unchanged. */
export function named(type: string): JSONSchema {
  return { tsType: type };
}

/** Adds documentation to a schema. */
export function described(schema: JSONSchema, doc: string | undefined): JSONSchema {
  return doc === undefined ? schema : { ...schema, description: doc };
}

/** `string & {}` keeps the known values in the editor's completion; `string` alone would remove them. */
function enumSchema(node: EnumNode): JSONSchema {
  if (node.open === undefined) return { enum: node.members.map((member) => member.value) };
  const known = node.members.map((member) => JSON.stringify(member.value));
  return named(`(${[...known, node.base === "string" ? "(string & {})" : "(number & {})"].join(" | ")})`);
}
