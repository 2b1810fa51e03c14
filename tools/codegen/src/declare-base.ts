import type { JSONSchema } from "json-schema-to-typescript";
import type { Direction } from "./direction.js";
import type { ObjectNode } from "./ir.js";
import { type Declaration, described, type Lowering, named } from "./lower.js";

/** The members beside a union. They become a type that every variant extends. */
export class Base {
  /** Whether there are members beside the union. */
  readonly exists: boolean;
  /** Whether the type for received values (the receiving form) differs from the type for sent values. */
  readonly differs: boolean;
  readonly #of: string;
  readonly #node: ObjectNode;
  readonly #lowering: Lowering;

  /** @param tag - the union's tag. It is not a common member, even if the object declares it. */
  constructor(of: string, node: ObjectNode, tag: string | undefined, lowering: Lowering) {
    const properties = node.properties.filter((property) => property.name !== tag);
    this.#of = of;
    this.#node = { ...node, properties };
    this.#lowering = lowering;
    this.exists = properties.length > 0;
    this.differs = lowering.differs(...properties.map((property) => property.node));
  }

  name(direction: Direction): string {
    const name = this.#lowering.names.base(this.#of);
    return direction === "incoming" && this.differs ? this.#lowering.names.incoming(name) : name;
  }

  /** Returns the type to extend, or nothing. */
  names(direction: Direction): string[] {
    return this.exists ? [this.name(direction)] : [];
  }

  declarations(): Declaration[] {
    if (!this.exists) return [];
    const name = this.name("outgoing");
    const doc = `The members that every form of {@link ${this.#of}} has.`;
    const own = { name, schema: described(this.#lowering.members(this.#node.properties, "outgoing"), doc) };
    if (!this.differs) return [own];
    const schema = described(changed(name, this.#node, this.#lowering), `{@link ${name}} as it arrives.`);
    return [own, { name: this.name("incoming"), schema }];
  }
}

/** Declares the receiving form of an object: `Omit` keeps the documentation of members that don't differ. */
export function changed(name: string, node: ObjectNode, lowering: Lowering): JSONSchema {
  // `Omit` would remove the other members of a type with an index signature.
  if (node.extensible)
    throw new Error(`${lowering.ir.id}: ${name} is extensible and has a receiving form; teach declare-base.ts`);
  const differing = node.properties.filter((property) => lowering.differs(property.node));
  const members = lowering.members(differing, "incoming");
  if (differing.length === node.properties.length) return members;
  const keys = differing.map((property) => JSON.stringify(property.name)).join(" | ");
  return { allOf: [named(`Omit<${name}, ${keys}>`), members] };
}
