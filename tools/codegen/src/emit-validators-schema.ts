import type { Node, NumberNode, ObjectNode, Property, SchemaIr, TaggedNode, Variant } from "./ir.js";
import { numberBounds } from "./number-bounds.js";

/** A schema in ajv's dialect: draft-07 plus the keywords of `emit-validators-keywords.ts`. */
export type AjvSchema = { readonly [keyword: string]: unknown };

/** Returns one schema that contains every definition of the IR. */
export function toAjvSchema(ir: SchemaIr, id: string): AjvSchema {
  const writer = new AjvSchemaWriter(ir);
  const definitions = [...ir.definitions.values()].map(({ name, node }) => [name, writer.node(node)] as const);
  return { $id: id, definitions: Object.fromEntries(definitions) };
}

class AjvSchemaWriter {
  readonly #ir: SchemaIr;

  constructor(ir: SchemaIr) {
    this.#ir = ir;
  }

  node(node: Node): AjvSchema {
    switch (node.kind) {
      case "any":
        return {};
      case "null":
      case "boolean":
        return { type: node.kind };
      case "string":
        return {
          type: "string",
          ...(node.minLength === undefined ? {} : { acpMinLength: node.minLength }),
          ...(node.format === "uri" || node.format === "date-time" ? { acpFormat: node.format } : {}),
        };
      case "number":
      case "integer":
        return this.#number(node);
      case "const":
        return { const: node.value };
      case "enum":
        if (node.open === undefined) return { enum: node.members.map(({ value }) => value) };
        return node.base === "string"
          ? { type: "string" }
          : this.#number({ kind: "integer", format: node.open.format, minimum: undefined, maximum: undefined });
      case "ref":
        return this.#reference(node.name);
      case "nullable":
        return { acpNullable: this.node(node.inner) };
      case "array":
        return {
          type: "array",
          ...(node.minItems === undefined ? {} : { minItems: node.minItems }),
          ...(node.items.kind === "any" ? {} : { items: this.node(node.items) }),
        };
      case "record":
        return {
          type: "object",
          ...(node.values.kind === "any" ? {} : { additionalProperties: this.node(node.values) }),
        };
      case "object":
        return this.#object(node);
      case "union":
        return { [node.exclusive ? "oneOf" : "anyOf"]: node.branches.map((branch) => this.node(branch.node)) };
      case "tagged":
        return { type: "object", ...this.#tagged(node) };
    }
  }

  /** Returns a reference to a definition. Scalars are repeated: a call would be longer than the check. */
  #reference(name: string): AjvSchema {
    const node = this.#ir.definitions.get(name)?.node;
    const isScalar = node?.kind === "string" || node?.kind === "integer" || (node?.kind === "enum" && node.open);
    return isScalar ? this.node(node) : { $ref: `#/definitions/${name}` };
  }

  #number(node: NumberNode): AjvSchema {
    const { minimum, maximum } = numberBounds(node);
    return {
      type: node.kind,
      ...(minimum === -Infinity ? {} : { minimum }),
      ...(maximum === Infinity ? {} : { maximum }),
    };
  }

  #object({ properties, flattened }: ObjectNode): AjvSchema {
    const members = { type: "object", ...this.#members(properties) };
    if (flattened === undefined) return members;
    return { ...members, ...(flattened.kind === "tagged" ? this.#tagged(flattened) : this.node(flattened)) };
  }

  #members(properties: readonly Property[]): AjvSchema {
    const required = properties.filter((property) => property.required).map(({ name }) => name);
    const checked = properties.filter(({ node }) => node.kind !== "any");
    const schemas = checked.map(({ name, node }) => [name, this.node(node)] as const);
    return {
      ...(required.length === 0 ? {} : { required }),
      ...(schemas.length === 0 ? {} : { properties: Object.fromEntries(schemas) }),
    };
  }

  /** Returns `acpTagged` and its sub-schemas: a case per payload, the catch-all, the alternative without the tag. */
  #tagged({ tag, variants, other, untagged }: TaggedNode): AjvSchema {
    const [alternative, second] = untagged;
    if (second !== undefined)
      throw new Error(`${this.#ir.id}: a union tagged "${tag}" has two alternatives without it`);
    const cases = new Map<string, { values: string[]; schema: AjvSchema }>();
    for (const variant of variants) {
      const schema = this.#variant(variant);
      const key = JSON.stringify(schema);
      const known = cases.get(key);
      if (known === undefined) cases.set(key, { values: [variant.value], schema });
      else known.values.push(variant.value);
    }
    const list = [...cases.values()];
    return {
      acpTagged: { tag, values: list.map(({ values }) => values), open: other !== undefined },
      acpCases: Object.fromEntries(list.map(({ schema }, index) => [index, schema])),
      ...(other === undefined ? {} : { acpOther: this.#object(other.node) }),
      ...(alternative === undefined ? {} : { acpUntagged: this.node(alternative.node) }),
    };
  }

  #variant({ payload, properties }: Variant): AjvSchema {
    if (payload === undefined) return this.#members(properties);
    const reference = this.#reference(payload);
    return properties.length === 0 ? reference : { ...this.#members(properties), allOf: [reference] };
  }
}
