import { type Direction, mentions } from "./direction.js";
import { firstParagraph, propertyDoc } from "./docs.js";
import type { EnumNode, Node, ObjectNode, Property, SchemaIr } from "./ir.js";
import { Meta } from "./meta.js";
import { Names } from "./names.js";
import type { Member, ObjectType, Type } from "./print-types.js";

/** Converts IR nodes to TypeScript types, for one direction. */
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

  node(node: Node, direction: Direction): Type {
    switch (node.kind) {
      case "any":
        return "unknown";
      case "null":
      case "boolean":
      case "string":
        return node.kind;
      case "integer":
      case "number":
        return "number";
      case "const":
        return JSON.stringify(node.value);
      case "enum":
        return enumType(node);
      case "ref":
        return this.nameOf(node.name, direction);
      case "nullable":
        return { anyOf: [this.node(node.inner, direction), "null"] };
      case "array":
        return { items: this.node(node.items, direction) };
      case "record":
        return this.#record(node.values, direction);
      case "object":
        return this.#object(node, direction);
      case "union":
        // If one alternative accepts every value, the other alternatives are only documentation.
        if (node.branches.some((branch) => branch.node.kind === "any")) return "unknown";
        return { anyOf: node.branches.map((branch) => this.node(branch.node, direction)) };
      case "tagged":
        throw new Error(
          `${this.ir.id}: a union tagged "${node.tag}" stands inside another type; only definitions have names for its variants`,
        );
    }
  }

  #object(node: ObjectNode, direction: Direction): Type {
    if (node.flattened !== undefined) {
      throw new Error(
        `${this.ir.id}: members beside a union stand inside another type; only definitions can have both`,
      );
    }
    return node.properties.length === 0 && !node.extensible
      ? "Record<string, unknown>" // An empty interface would accept strings and numbers.
      : { ...this.members(node.properties, direction), ...(node.extensible && { others: "unknown" }) };
  }

  members(properties: readonly Property[], direction: Direction): ObjectType {
    return { members: properties.map((property) => this.#member(property, direction)) };
  }

  /**
   * Whether an `interface` can extend the definition. This is so if the definition is an object with members and
   * without a union.
   */
  isInterface(definition: string): boolean {
    const node = this.ir.definitions.get(definition)?.node;
    if (node?.kind === "ref") return this.isInterface(node.name);
    return node?.kind === "object" && node.flattened === undefined && node.properties.length > 0;
  }

  #member(property: Property, direction: Direction): Member {
    const { name, required } = property;
    if (this.meta.covers(property))
      return { name, required, type: { anyOf: ["Meta", "null"] }, doc: this.meta.doc(property) };
    // Only the sending form has the documentation.
    const doc =
      direction === "outgoing"
        ? propertyDoc(property, this.ir.definitions)
        : firstParagraph(property.doc, this.ir.definitions);
    return { name, required, type: this.node(property.node, direction), doc };
  }

  #record(values: Node, direction: Direction): Type {
    if (values.kind === "any") return "Record<string, unknown>";
    if (values.kind === "string") return "Record<string, string>";
    if (values.kind === "ref") return `Record<string, ${this.nameOf(values.name, direction)}>`;
    return { members: [], others: this.node(values, direction) };
  }
}

/** `string & {}` keeps the known values in the editor's completion; `string` alone would remove them. */
function enumType(node: EnumNode): Type {
  const known = node.members.map((member) => JSON.stringify(member.value));
  if (node.open === undefined) return { anyOf: known };
  return { anyOf: [...known, node.base === "string" ? "(string & {})" : "(number & {})"] };
}
